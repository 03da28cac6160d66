/* SPDX-License-Identifier: BSD-2-Clause */
/* `retsnoop symbolize --log`. */
#ifndef RETSNOOP_BUILTIN_SYMBOLIZE_LOG_H
#define RETSNOOP_BUILTIN_SYMBOLIZE_LOG_H

#include <stdbool.h>

#include "builtin/suite/command.h"
#include "util/kernel/symbols/log_symbols.h"

/*
 * Copy a kernel's log from standard input to standard output, with functions and source lines added.
 * Returns an exit status.
 *
 * @format	FORMAT_TEXT or FORMAT_JSON
 */
int symbolize_log(const struct log_symbols_options *options, enum format format, bool color);

#endif
