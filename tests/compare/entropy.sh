#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# entropy.sh [CASES [SEED [LIMIT]]]: random tests of one class, see assist.sh.
exec "$(dirname "$0")/assist.sh" entropy "$@"
