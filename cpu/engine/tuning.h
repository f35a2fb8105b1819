/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiler settings for the files of handlers; first of their includes. Handlers are small and many of them alike:
   sharing their tails or splitting them saves nothing and costs a jump. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("no-partial-inlining", "no-ipa-icf", "no-crossjumping", "omit-frame-pointer", "no-gcse",          \
                     "no-tree-slp-vectorize")
#endif
