#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# control.sh [CASES [SEED [MNEMONIC]]]: random comparison of one class, see compare.sh.
exec "$(dirname "$0")/compare.sh" control "$@"
