/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices come and go. */
#ifndef ZRI_EMU_DEV_CSS_ATTACH_H
#define ZRI_EMU_DEV_CSS_ATTACH_H

#include "emu/dev/css/css.h"

/* A device as the operator writes it: "[SET:]DEVNO,TYPE[,WORD...]", numbers hexadecimal. `report`: the guest runs and
   is told by a channel report. 0, or a negative errno with a sentence in error[size]. */
int css_attach_text(struct machine *machine, const char *text, bool report, char *error, size_t size);
/* Take the device away; what it was doing ends. Errors as above. */
int css_detach(struct machine *machine, unsigned set, uint16_t number, bool report, char *error, size_t size);
/* Close the device and open it with other words. Errors as above; the device is then gone. */
int css_reopen(struct machine *machine, unsigned set, uint16_t number, unsigned count, char **words, char *error,
               size_t size);
/* The first device number of set 0 that is free, for a device that is attached without one. */
uint16_t css_free_number(const struct css *css);
/* Text as given to css_attach_text(), without set and number. */
const char *css_device_words(const struct channel_device *device);

#endif
