// SPDX-License-Identifier: BSD-2-Clause
/* TLS by OpenSSL's libssl. */
#include "util/export/tls.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"

#define LIBRARY "libssl.so.3"

/* As in the headers of OpenSSL 3, whose ABI is stable; the build does not need them. */
#define SSL_FILETYPE_PEM 1
#define SSL_VERIFY_PEER 1
#define SSL_ERROR_SSL 1
#define SSL_ERROR_WANT_READ 2
#define SSL_ERROR_WANT_WRITE 3
#define SSL_ERROR_SYSCALL 5
#define SSL_ERROR_ZERO_RETURN 6
#define SSL_CTRL_SET_TLSEXT_HOSTNAME 55
#define TLSEXT_NAMETYPE_host_name 0
#define SSL_CTRL_SET_MIN_PROTO_VERSION 123
#define TLS1_2_VERSION 0x0303
#define ERR_SYSTEM_FLAG (1ul << 31)	/* the rest is an errno */
/* A peer that closes without saying so in TLS ends its answer, as in HTTP. */
#define SSL_OP_IGNORE_UNEXPECTED_EOF (1u << 7)

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;

static struct library {
	void *handle;
	const void *(*TLS_client_method)(void);
	SSL_CTX *(*SSL_CTX_new)(const void *method);
	void (*SSL_CTX_free)(SSL_CTX *context);
	long (*SSL_CTX_ctrl)(SSL_CTX *context, int command, long number, void *data);
	uint64_t (*SSL_CTX_set_options)(SSL_CTX *context, uint64_t options);
	void (*SSL_CTX_set_verify)(SSL_CTX *context, int mode, void *callback);
	int (*SSL_CTX_set_default_verify_paths)(SSL_CTX *context);
	int (*SSL_CTX_load_verify_file)(SSL_CTX *context, const char *file);
	int (*SSL_CTX_use_certificate_chain_file)(SSL_CTX *context, const char *file);
	int (*SSL_CTX_use_PrivateKey_file)(SSL_CTX *context, const char *file, int type);
	int (*SSL_CTX_check_private_key)(const SSL_CTX *context);
	SSL *(*SSL_new)(SSL_CTX *context);
	void (*SSL_free)(SSL *ssl);
	int (*SSL_set_fd)(SSL *ssl, int fd);
	int (*SSL_set1_host)(SSL *ssl, const char *name);
	void *(*SSL_get0_param)(SSL *ssl);
	long (*SSL_ctrl)(SSL *ssl, int command, long number, void *data);
	int (*SSL_connect)(SSL *ssl);
	int (*SSL_read)(SSL *ssl, void *data, int len);
	int (*SSL_write)(SSL *ssl, const void *data, int len);
	int (*SSL_get_error)(const SSL *ssl, int result);
	long (*SSL_get_verify_result)(const SSL *ssl);
	/* Of libcrypto, which libssl needs. */
	int (*X509_VERIFY_PARAM_set1_ip_asc)(void *param, const char *address);
	const char *(*X509_verify_cert_error_string)(long error);
	unsigned long (*ERR_get_error)(void);
	const char *(*ERR_reason_error_string)(unsigned long error);
	void (*ERR_clear_error)(void);
} library;

struct tls {
	SSL_CTX *context;
	char reason[160];
};

struct tls_connection {
	struct tls *tls;
	SSL *ssl;
};

#define FUNCTION(name) { #name, &library.name }

static bool load_functions(void)
{
	const struct {
		const char *name;
		void *function;
	} functions[] = {
		FUNCTION(TLS_client_method), FUNCTION(SSL_CTX_new), FUNCTION(SSL_CTX_free),
		FUNCTION(SSL_CTX_ctrl), FUNCTION(SSL_CTX_set_options), FUNCTION(SSL_CTX_set_verify),
		FUNCTION(SSL_CTX_set_default_verify_paths), FUNCTION(SSL_CTX_load_verify_file),
		FUNCTION(SSL_CTX_use_certificate_chain_file), FUNCTION(SSL_CTX_use_PrivateKey_file),
		FUNCTION(SSL_CTX_check_private_key), FUNCTION(SSL_new), FUNCTION(SSL_free),
		FUNCTION(SSL_set_fd), FUNCTION(SSL_set1_host), FUNCTION(SSL_get0_param),
		FUNCTION(SSL_ctrl), FUNCTION(SSL_connect), FUNCTION(SSL_read), FUNCTION(SSL_write),
		FUNCTION(SSL_get_error), FUNCTION(SSL_get_verify_result),
		FUNCTION(X509_VERIFY_PARAM_set1_ip_asc), FUNCTION(X509_verify_cert_error_string),
		FUNCTION(ERR_get_error), FUNCTION(ERR_reason_error_string), FUNCTION(ERR_clear_error),
	};

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *address = dlsym(library.handle, functions[i].name);

		if (!address)
			return false;
		memcpy(functions[i].function, &address, sizeof(address));
	}
	return true;
}

/* The library stays: it has threads' data and handlers of exit(). */
static int load_library(void)
{
	/* A static program has no dynamic linker, and the library would need another libc. */
	if (!getauxval(AT_BASE))
		return report(-ENOPKG, "https needs the library " LIBRARY ", which the static program cannot "
			      "load; send to a collector on this machine, such as http://localhost:4318");
	if (library.handle)
		return 0;
	library.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (library.handle && load_functions())
		return 0;
	library.handle = NULL;
	return report(-ENOPKG, "https needs the library " LIBRARY " (OpenSSL 3); install it, or send to a "
		      "collector on this machine, such as http://localhost:4318");
}

/* The first reason is the one that caused the others. */
static const char *take_reason(void)
{
	unsigned long error = library.ERR_get_error();
	const char *reason = NULL;

	if (error & ERR_SYSTEM_FLAG)
		reason = strerror(error & ~ERR_SYSTEM_FLAG);
	else if (error)
		reason = library.ERR_reason_error_string(error);
	library.ERR_clear_error();
	return reason ?: "unknown reason";
}

static int load_files(SSL_CTX *context, const struct tls_files *files)
{
	if (!files->trusted)
		library.SSL_CTX_set_default_verify_paths(context);
	else if (library.SSL_CTX_load_verify_file(context, files->trusted) != 1)
		return report(-EINVAL, "%s: cannot read trusted certificates in PEM: %s", files->trusted,
			      take_reason());
	if (!files->certificate)
		return 0;
	if (library.SSL_CTX_use_certificate_chain_file(context, files->certificate) != 1)
		return report(-EINVAL, "%s: cannot read a certificate in PEM: %s", files->certificate,
			      take_reason());
	if (library.SSL_CTX_use_PrivateKey_file(context, files->key, SSL_FILETYPE_PEM) != 1)
		return report(-EINVAL, "%s: cannot read the key of %s in PEM: %s", files->key,
			      files->certificate, take_reason());
	if (library.SSL_CTX_check_private_key(context) != 1)
		return report(-EINVAL, "%s: this is not the key of %s", files->key, files->certificate);
	return 0;
}

int tls_new(const struct tls_files *files, struct tls **ret_tls)
{
	int err = load_library();
	struct tls *tls;

	if (err)
		return err;
	tls = calloc(1, sizeof(*tls));
	if (!tls)
		return report_oom();
	library.ERR_clear_error();
	tls->context = library.SSL_CTX_new(library.TLS_client_method());
	if (!tls->context) {
		tls_free(tls);
		return report_oom();
	}
	library.SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER, NULL);
	library.SSL_CTX_ctrl(tls->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
	library.SSL_CTX_set_options(tls->context, SSL_OP_IGNORE_UNEXPECTED_EOF);
	err = load_files(tls->context, files);
	if (err) {
		tls_free(tls);
		return err;
	}
	*ret_tls = tls;
	return 0;
}

void tls_free(struct tls *tls)
{
	if (!tls)
		return;
	library.SSL_CTX_free(tls->context);
	free(tls);
}

const char *tls_reason(const struct tls *tls)
{
	return tls->reason;
}

int tls_open(struct tls *tls, int fd, const char *host, struct tls_connection **ret_connection)
{
	struct tls_connection *connection = calloc(1, sizeof(*connection));
	SSL *ssl = connection ? library.SSL_new(tls->context) : NULL;
	bool named;

	if (!ssl || library.SSL_set_fd(ssl, fd) != 1) {
		library.SSL_free(ssl);
		free(connection);
		return -ENOMEM;
	}
	*connection = (struct tls_connection){ tls, ssl };
	/* A certificate is checked for an address or for a name; only a name is told to the server. */
	named = library.X509_VERIFY_PARAM_set1_ip_asc(library.SSL_get0_param(ssl), host) != 1;
	if (named && (library.SSL_set1_host(ssl, host) != 1 ||
		      library.SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
				       (void *)host) != 1)) {
		tls_close(connection);
		return -ENOMEM;
	}
	*ret_connection = connection;
	return 0;
}

void tls_close(struct tls_connection *connection)
{
	if (!connection)
		return;
	library.SSL_free(connection->ssl);
	library.ERR_clear_error();
	free(connection);
}

/* What @result of a function of the library means: 0 or -errno. */
static int check_result(struct tls_connection *connection, int result, int saved_errno,
			short *ret_events)
{
	struct tls *tls = connection->tls;
	long verified;

	switch (library.SSL_get_error(connection->ssl, result)) {
	case SSL_ERROR_WANT_READ:
		*ret_events = POLLIN;
		return -EAGAIN;
	case SSL_ERROR_WANT_WRITE:
		*ret_events = POLLOUT;
		return -EAGAIN;
	case SSL_ERROR_ZERO_RETURN:
		return 0;
	case SSL_ERROR_SYSCALL:
		return -(saved_errno ?: ECONNRESET);
	}
	verified = library.SSL_get_verify_result(connection->ssl);
	snprintf(tls->reason, sizeof(tls->reason), "TLS: %s",
		 verified ? library.X509_verify_cert_error_string(verified) : take_reason());
	return -EPROTO;
}

int tls_handshake(struct tls_connection *connection, short *ret_events)
{
	int result;

	library.ERR_clear_error();
	errno = 0;
	result = library.SSL_connect(connection->ssl);
	if (result == 1)
		return 0;
	/* 0: the peer ended the handshake. */
	return check_result(connection, result, errno, ret_events) ?: -ECONNRESET;
}

static int clamp(size_t len)
{
	return len < INT_MAX ? len : INT_MAX;
}

ssize_t tls_read(struct tls_connection *connection, void *data, size_t len, short *ret_events)
{
	int n;

	library.ERR_clear_error();
	errno = 0;
	n = library.SSL_read(connection->ssl, data, clamp(len));
	return n > 0 ? n : check_result(connection, n, errno, ret_events);
}

ssize_t tls_write(struct tls_connection *connection, const void *data, size_t len,
		  short *ret_events)
{
	int n;

	library.ERR_clear_error();
	errno = 0;
	n = library.SSL_write(connection->ssl, data, clamp(len));
	return n > 0 ? n : check_result(connection, n, errno, ret_events) ?: -ECONNRESET;
}
