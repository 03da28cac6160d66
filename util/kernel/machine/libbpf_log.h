/* SPDX-License-Identifier: BSD-2-Clause */
/* What libbpf has to say, which is for who looks for the cause of something: -vv, -vvv. */
#ifndef RETSNOOP_KERNEL_MACHINE_LIBBPF_LOG_H
#define RETSNOOP_KERNEL_MACHINE_LIBBPF_LOG_H

/* From here on. Without, it would say some of it on stderr to everybody. */
void libbpf_log_init(void);

#endif
