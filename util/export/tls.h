/* SPDX-License-Identifier: BSD-2-Clause */
/* TLS of a client, by OpenSSL's libssl, which is loaded when needed. For one thread at a time. */
#ifndef RETSNOOP_EXPORT_TLS_H
#define RETSNOOP_EXPORT_TLS_H

#include <stddef.h>
#include <sys/types.h>

/* What connections share: certificates that are trusted, and the client's own. */
struct tls;

/* Files in PEM; NULL: none. */
struct tls_files {
	const char *trusted;	/* NULL: the certificates that the system trusts */
	const char *certificate, *key;	/* of the client; both, or none */
};

/**
 * Load the library and the files.
 *
 * @ret_tls	set on success only; release with tls_free()
 * @return	0; -ENOPKG there is no libssl, or the program is static (reported); -EINVAL a file cannot
 *		be used (reported); -ENOMEM (reported)
 */
int tls_new(const struct tls_files *files, struct tls **ret_tls);
void tls_free(struct tls *tls);

/* Why the last connection failed, in words; borrowed. */
const char *tls_reason(const struct tls *tls);

struct tls_connection;

/* @fd	connected, not blocking; outlives the connection. @host	a name or an address. 0; -ENOMEM */
int tls_open(struct tls *tls, int fd, const char *host, struct tls_connection **ret_connection);
void tls_close(struct tls_connection *connection);

/*
 * 0 done, or bytes; tls_read(): 0 the peer ended. -EAGAIN: call again when the descriptor has
 * *ret_events. -EPROTO: tls_reason() says why; -errno.
 */
int tls_handshake(struct tls_connection *connection, short *ret_events);
ssize_t tls_read(struct tls_connection *connection, void *data, size_t len, short *ret_events);
ssize_t tls_write(struct tls_connection *connection, const void *data, size_t len,
		  short *ret_events);

#endif
