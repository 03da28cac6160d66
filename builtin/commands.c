// SPDX-License-Identifier: BSD-2-Clause
/* The table of commands. */
#include "builtin/builtin.h"

#include <string.h>

const struct command *const commands[] = {
	&cmd_stack,
	&cmd_help,
	NULL,
};

const struct command *command_find(const char *name)
{
	for (int i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}
