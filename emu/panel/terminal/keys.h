/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that are no characters, as numbers that no character has. */
#ifndef ZRI_EMU_PANEL_TERMINAL_KEYS_H
#define ZRI_EMU_PANEL_TERMINAL_KEYS_H

#define KEY_OF_CONTROL(letter) ((letter)&0x1F)
/* Escape and a character, as Alt gives it. */
#define KEY_OF_ALT(character) (KEYS_ALT | (character))

enum terminal_key {
    KEYS_ALT = 0x400000,
    KEYS_NONE = 0x200000,
    KEYS_UP,
    KEYS_DOWN,
    KEYS_LEFT,
    KEYS_RIGHT,
    KEYS_HOME,
    KEYS_END,
    KEYS_PAGE_UP,
    KEYS_PAGE_DOWN,
    KEYS_INSERT,
    KEYS_DELETE,
    KEYS_BACKSPACE,
    KEYS_BACK_TAB,
    KEYS_SHIFT_UP,
    KEYS_SHIFT_DOWN,
    KEYS_SHIFT_LEFT,
    KEYS_SHIFT_RIGHT,
    KEYS_RESIZE, /* the screen has another size */
    KEYS_CLICK,  /* of the mouse, see struct screen */
    KEYS_WHEEL_UP,
    KEYS_WHEEL_DOWN,
    KEYS_GONE, /* nobody is at the terminal any more */
    KEYS_F     /* F1 is KEYS_F + 1 */
};
#define KEYS_TAB    9
#define KEYS_ENTER  13
#define KEYS_ESCAPE 27

#endif
