// SPDX-License-Identifier: BSD-2-Clause
/* The machine this runs on is riscv64. */
#include <unistd.h>

#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/cpu.h"

const struct arch *const arch_native = &arch_riscv;

/* Emulators and clouds leave this. */
bool cpu_is_virtual(void)
{
	return !access("/sys/firmware/qemu_fw_cfg", F_OK);
}
