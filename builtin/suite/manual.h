/* SPDX-License-Identifier: BSD-2-Clause */
/* Manual pages, as man(1) shows them. */
#ifndef RETSNOOP_BUILTIN_SUITE_MANUAL_H
#define RETSNOOP_BUILTIN_SUITE_MANUAL_H

/* Replace this process by man(1) with this page. Returns only if the page or man(1) is not installed. */
void manual_open(const char *page);

/* The same with the page of a command. */
void manual_open_command(const char *name);

#endif
