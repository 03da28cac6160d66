// SPDX-License-Identifier: BSD-2-Clause
/* The machine this runs on is arm64. */
#include <unistd.h>

#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/cpu.h"

const struct arch *const arch_native = &arch_arm64;

/* A KVM guest cannot be recognized by programs; emulators and clouds leave this. */
bool cpu_is_virtual(void)
{
	return !access("/sys/class/misc/kvm_ptp", F_OK) ||
	       !access("/sys/firmware/qemu_fw_cfg", F_OK);
}
