/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RETSNOOP_VIEW_VALUES_VALUE_TYPE_H
#define RETSNOOP_VIEW_VALUES_VALUE_TYPE_H

#include <stdint.h>

#include "util/base/strbuf.h"

struct btf;

/* Append the type's name in C: "const struct file *". */
void value_type_add(struct strbuf *sb, const struct btf *btf, uint32_t type);

#endif
