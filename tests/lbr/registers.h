/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of an emulated CPU, for plugins of QEMU. */
#ifndef RETSNOOP_TESTS_LBR_REGISTERS_H
#define RETSNOOP_TESTS_LBR_REGISTERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

/* Each vCPU is a thread. Never freed: it lives as long as the machine. */
static inline GByteArray *register_buffer(void)
{
	static __thread GByteArray *buffer;

	if (!buffer)
		buffer = g_byte_array_new();
	return buffer;
}

static inline uint64_t read_register(struct qemu_plugin_register *reg)
{
	GByteArray *buffer = register_buffer();
	uint64_t value = 0;

	g_byte_array_set_size(buffer, 0);
	qemu_plugin_read_register(reg, buffer);
	memcpy(&value, buffer->data, buffer->len < sizeof(value) ? buffer->len : sizeof(value));
	return value;
}

static inline void write_register(struct qemu_plugin_register *reg, uint64_t value)
{
	GByteArray *buffer = register_buffer();

	g_byte_array_set_size(buffer, sizeof(value));
	memcpy(buffer->data, &value, sizeof(value));
	qemu_plugin_write_register(reg, buffer);
}

struct wanted_register {
	const char *name;
	struct qemu_plugin_register **reg;
};

/* Of the vCPU that begins; without one of them the machine ends. @plugin: who says so */
static inline void find_registers(const char *plugin, const struct wanted_register *wanted, size_t nr)
{
	GArray *registers = qemu_plugin_get_registers();
	const qemu_plugin_reg_descriptor *reg = (const void *)registers->data;

	for (size_t i = 0; i < nr; i++) {
		for (unsigned int j = 0; j < registers->len; j++)
			if (!strcmp(reg[j].name, wanted[i].name))
				*wanted[i].reg = reg[j].handle;
		if (!*wanted[i].reg) {
			fprintf(stderr, "%s: this QEMU has no register %s\n", plugin, wanted[i].name);
			exit(1);
		}
	}
	g_array_free(registers, 1);
}

#endif
