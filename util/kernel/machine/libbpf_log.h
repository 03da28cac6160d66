/* SPDX-License-Identifier: BSD-2-Clause */
/* libbpf's messages, shown only for finding causes: -vv, -vvv. */
#ifndef RETSNOOP_KERNEL_MACHINE_LIBBPF_LOG_H
#define RETSNOOP_KERNEL_MACHINE_LIBBPF_LOG_H

/* Take over libbpf's messages; otherwise it prints some of them to stderr always. */
void libbpf_log_init(void);

#endif
