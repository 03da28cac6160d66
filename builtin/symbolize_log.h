/* SPDX-License-Identifier: BSD-2-Clause */
/* `retsnoop symbolize --log`. */
#ifndef RETSNOOP_BUILTIN_SYMBOLIZE_LOG_H
#define RETSNOOP_BUILTIN_SYMBOLIZE_LOG_H

#include <stdbool.h>

#include "util/kernel/log_symbols.h"

/* Standard input, a kernel's log, to standard output with what its places are. An exit status. */
int symbolize_log(const struct log_symbols_options *options, bool color);

#endif
