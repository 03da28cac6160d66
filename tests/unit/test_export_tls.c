// SPDX-License-Identifier: BSD-2-Clause
/*
 * Failed calls over https, to a server in Python. openssl(1) makes the certificates for each run.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "util/base/cleanup.h"
#include "util/export/failed_call.h"
#include "util/export/metrics.h"
#include "util/export/otlp.h"
#include "util/export/otlp_config.h"
#include "util/trace/session/session.h"
#include "util/view/session/view.h"

/* MODE: tls, mutual (asks for the client's certificate), plain, silent. It prints its port. */
static const char server[] =
	"import gzip, socket, ssl, sys\n"
	"mode, directory, name = sys.argv[1:4]\n"
	"context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\n"
	"context.load_cert_chain(directory + '/' + name + '.crt', directory + '/' + name + '.key')\n"
	"if mode == 'mutual':\n"
	"    context.verify_mode = ssl.CERT_REQUIRED\n"
	"    context.load_verify_locations(directory + '/client.crt')\n"
	"listener = socket.create_server(('127.0.0.1', 0))\n"
	"print(listener.getsockname()[1], flush=True)\n"
	"while True:\n"
	"    connection, _ = listener.accept()\n"
	"    try:\n"
	"        if mode == 'silent':\n"
	"            connection.recv(1 << 20) and connection.recv(1 << 20)\n"
	"            continue\n"
	"        if mode != 'plain':\n"
	"            connection = context.wrap_socket(connection, server_side=True)\n"
	"        stream = connection.makefile('rb')\n"
	"        size = 0\n"
	"        packed = False\n"
	"        while (line := stream.readline().strip().lower()):\n"
	"            if line.startswith(b'content-length:'):\n"
	"                size = int(line.split(b':')[1])\n"
	"            packed |= line == b'content-encoding: gzip'\n"
	"        body = stream.read(size)\n"
	"        with open(directory + '/bodies', 'ab') as bodies:\n"
	"            bodies.write(gzip.decompress(body) if packed else body)\n"
	"        connection.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}')\n"
	"        connection.close()\n"
	"    except OSError:\n"
	"        pass\n";

static char directory[64];
static bool ready;

__attribute__((constructor)) static void make_certificates(void)
{
	static const char command[] =
		"cd '%s' 2>/dev/null || exit 1; make() { openssl req -x509 -newkey ec -pkeyopt "
		"ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=$1 -addext subjectAltName=$2 "
		"-keyout $1.key -out $1.crt >/dev/null 2>&1; }; make here IP:127.0.0.1,DNS:localhost && "
		"make other DNS:other.example && make client DNS:client.example && echo x >junk && "
		"python3 -c 'import ssl' 2>/dev/null";
	char text[1024];

	/* As run_trace() has it. */
	signal(SIGPIPE, SIG_IGN);
	snprintf(directory, sizeof(directory), "/tmp/retsnoop-tls.%d", getpid());
	if (mkdir(directory, 0700))
		return;
	snprintf(text, sizeof(text), command, directory);
	ready = !system(text);
}

__attribute__((destructor)) static void remove_certificates(void)
{
	char command[128];

	/* Not by processes of single tests. */
	snprintf(command, sizeof(command), "/tmp/retsnoop-tls.%d", getpid());
	if (strcmp(command, directory))
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command))
		perror(command);
}

FIXTURE(https)
{
	struct metrics metrics;
	struct otlp_config config;
	struct view_origin host;
	struct session session;
	struct failed_call call;
	struct otlp *otlp;
	pid_t pid;
	int port;
	char *said;
};

FIXTURE_SETUP(https)
{
	metrics_init(&self->metrics, 3, "comm");
	self->host = (struct view_origin){ .host = "db-17", .release = "6.12.1" };
	self->session = (struct session){ .comm = "mkdir" };
	self->call = (struct failed_call){ .session = &self->session, .entry = "__x64_sys_mkdir",
					   .producer = "filename_create" };
	strbuf_addstr(&self->call.err, "EEXIST");
}

FIXTURE_TEARDOWN(https)
{
	otlp_free(self->otlp);
	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		waitpid(self->pid, NULL, 0);
	}
	otlp_config_release(&self->config);
	metrics_release(&self->metrics);
	failed_call_release(&self->call);
	free(self->said);
}

static int serve(FIXTURE_DATA(https) *self, const char *mode, const char *name)
{
	char text[16] = "";
	int fds[2];

	if (pipe(fds))
		return -errno;
	self->pid = fork();
	if (!self->pid) {
		dup2(fds[1], 1);
		close(fds[0]);
		execlp("python3", "python3", "-c", server, mode, directory, name, NULL);
		_exit(127);
	}
	close(fds[1]);
	for (size_t n = 0; n < sizeof(text) - 1 && read(fds[0], text + n, 1) == 1; n++) {
		if (text[n] == '\n')
			break;
	}
	close(fds[0]);
	self->port = atoi(text);
	return self->port ? 0 : -ENOENT;
}

#define SERVE(self, mode, name)                                                                    \
	({                                                                                         \
		if (!ready)                                                                        \
			SKIP(return, "no openssl, or no python3");                                 \
		ASSERT_EQ(0, serve(self, mode, name));                                             \
	})

static struct {
	const char *host, *scheme, *trusted, *certificate, *key, *compression, *timeout;
} settings;
static int settings_port;

/* The environment of otlp_config_read(). */
static char *get(const char *name)
{
	static char values[4][128];
	const struct {
		const char *name, *file;
		char *value;
	} files[] = {
		{ "OTEL_EXPORTER_OTLP_CERTIFICATE", settings.trusted, values[0] },
		{ "OTEL_EXPORTER_OTLP_LOGS_CLIENT_CERTIFICATE", settings.certificate, values[1] },
		{ "OTEL_EXPORTER_OTLP_CLIENT_KEY", settings.key, values[2] },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (strcmp(name, files[i].name) || !files[i].file)
			continue;
		snprintf(files[i].value, sizeof(values[0]), "%s/%s", directory, files[i].file);
		return files[i].value;
	}
	if (!strcmp(name, "OTEL_EXPORTER_OTLP_ENDPOINT")) {
		snprintf(values[3], sizeof(values[3]), "%s://%s:%d", settings.scheme ?: "https",
			 settings.host ?: "localhost", settings_port);
		return values[3];
	}
	if (!strcmp(name, "OTEL_EXPORTER_OTLP_TIMEOUT"))
		return (char *)settings.timeout ?: (char *)"60000";
	return strcmp(name, "OTEL_EXPORTER_OTLP_COMPRESSION") ? NULL : (char *)settings.compression;
}

#define CONFIGURE(self, ...)                                                                       \
	({                                                                                         \
		settings = (__typeof__(settings)){ __VA_ARGS__ };                                  \
		settings_port = (self)->port;                                                      \
		ASSERT_EQ(0, otlp_config_read(get, &(self)->config));                              \
	})

static uint64_t count(struct metrics *metrics, enum delivery delivery)
{
	uint64_t n;

	pthread_mutex_lock(&metrics->lock);
	n = metrics->deliveries[RECEIVER_OTLP][delivery];
	pthread_mutex_unlock(&metrics->lock);
	return n;
}

/* @wait	for so many deliveries in all; otherwise the end cuts the attempts short */
static int send_calls(FIXTURE_DATA(https) *self, int calls, uint64_t wait)
{
	int err = otlp_new(&self->config, &self->metrics, &self->host, &self->otlp);

	if (err)
		return err;
	for (int i = 0; i < calls; i++)
		otlp_send(self->otlp, &self->call, 1);
	for (int i = 0; i < 6000 && count(&self->metrics, DELIVERY_DONE) < wait; i++)
		usleep(10000);
	otlp_end(self->otlp);
	return 0;
}

#define EXPECT_UNREACHABLE(self, words)                                                            \
	({                                                                                         \
		(self)->said = stderr_of(send_calls(self, 3, 0));                              \
		EXPECT_EQ(3, count(&(self)->metrics, DELIVERY_UNREACHABLE));                       \
		EXPECT_EQ(0, count(&(self)->metrics, DELIVERY_DONE));                              \
		EXPECT_NE(NULL, strstr((self)->said, words))                                       \
		{                                                                                  \
			TH_LOG("%s", (self)->said);                                                \
		}                                                                                  \
	})

TEST_F(https, a_trusted_receiver_gets_the_calls_by_name_and_by_address)
{
	char command[256];

	SERVE(self, "tls", "here");
	CONFIGURE(self, .trusted = "here.crt");
	ASSERT_EQ(0, send_calls(self, 1000, 1000));
	EXPECT_EQ(1000, count(&self->metrics, DELIVERY_DONE));
	otlp_free(take_ptr(self->otlp));
	otlp_config_release(&self->config);
	CONFIGURE(self, .trusted = "here.crt", .host = "127.0.0.1", .compression = "gzip");
	ASSERT_EQ(0, send_calls(self, 1500, 2500));
	EXPECT_EQ(2500, count(&self->metrics, DELIVERY_DONE));
	snprintf(command, sizeof(command), "[ $(grep -o timeUnixNano '%s/bodies' | wc -l) -eq 2500 ]",
		 directory);
	EXPECT_EQ(0, system(command));
}

TEST_F(https, a_receiver_that_nobody_trusts_gets_nothing)
{
	SERVE(self, "tls", "here");
	CONFIGURE(self);
	EXPECT_UNREACHABLE(self, " accepts no log records: TLS: self-signed certificate");
}

TEST_F(https, certificates_that_were_read_again_count_for_calls_that_wait)
{
	struct otlp_config config;

	SERVE(self, "tls", "here");
	CONFIGURE(self, .trusted = "here.crt");
	config = self->config;
	CONFIGURE(self, .trusted = "other.crt");
	ASSERT_EQ(0, otlp_new(&self->config, &self->metrics, &self->host, &self->otlp));
	otlp_send(self->otlp, &self->call, 1);
	/* The first attempt fails, and the next one is a second later. */
	usleep(300000);
	otlp_renew(self->otlp, &config);
	EXPECT_EQ(NULL, config.tls);
	otlp_config_release(&config);
	for (int i = 0; i < 6000 && !count(&self->metrics, DELIVERY_DONE); i++)
		usleep(10000);
	EXPECT_EQ(1, count(&self->metrics, DELIVERY_DONE));
}

TEST_F(https, a_receiver_with_the_certificate_of_another_host_gets_nothing)
{
	SERVE(self, "tls", "other");
	CONFIGURE(self, .trusted = "other.crt");
	EXPECT_UNREACHABLE(self, " accepts no log records: TLS: hostname mismatch");
}

TEST_F(https, a_receiver_may_ask_for_a_certificate)
{
	SERVE(self, "mutual", "here");
	CONFIGURE(self, .trusted = "here.crt", .certificate = "client.crt", .key = "client.key");
	ASSERT_EQ(0, send_calls(self, 5, 5));
	EXPECT_EQ(5, count(&self->metrics, DELIVERY_DONE));
	otlp_free(take_ptr(self->otlp));
	otlp_config_release(&self->config);
	CONFIGURE(self, .trusted = "here.crt");
	EXPECT_NE(NULL, self->said = stderr_of(send_calls(self, 3, 0)));
	EXPECT_EQ(3, count(&self->metrics, DELIVERY_UNREACHABLE));
	EXPECT_EQ(5, count(&self->metrics, DELIVERY_DONE));
}

TEST_F(https, a_receiver_without_tls_gets_nothing)
{
	SERVE(self, "plain", "here");
	CONFIGURE(self, .trusted = "here.crt", .timeout = "300");
	self->said = stderr_of(send_calls(self, 3, 0));
	EXPECT_EQ(3, count(&self->metrics, DELIVERY_UNREACHABLE));
	EXPECT_NE(NULL, strstr(self->said, " accepts no log records: "));
}

TEST_F(https, a_receiver_that_begins_nothing_is_given_up)
{
	SERVE(self, "silent", "here");
	CONFIGURE(self, .trusted = "here.crt", .timeout = "300");
	EXPECT_UNREACHABLE(self, " accepts no log records: Connection timed out");
}

TEST_F(https, files_that_cannot_be_used_are_refused)
{
	static const struct {
		const char *trusted, *certificate, *key, *words;
	} bad[] = {
		{ "gone.crt", NULL, NULL, "gone.crt: cannot read trusted certificates in PEM: No such file " },
		{ "junk", NULL, NULL, "junk: cannot read trusted certificates in PEM: " },
		{ NULL, "junk", "client.key", "junk: cannot read a certificate in PEM: " },
		{ NULL, "client.crt", "junk", "junk: cannot read the key of " },
		{ NULL, "client.crt", "here.key", "here.key: " },
		{ NULL, "client.crt", NULL,
		  "OTLP_LOGS_CLIENT_CERTIFICATE needs OTEL_EXPORTER_OTLP_CLIENT_KEY, too" },
		{ NULL, NULL, "client.key", "OTEL_EXPORTER_OTLP_CLIENT_KEY needs " },
	};

	if (!ready)
		SKIP(return, "no openssl, or no python3");
	settings_port = 4318;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		int err = 0;

		free(self->said);
		settings = (__typeof__(settings)){ .trusted = bad[i].trusted, .key = bad[i].key,
						   .certificate = bad[i].certificate };
		self->said = stderr_of(err = otlp_config_read(get, &self->config));
		EXPECT_EQ(-EINVAL, err);
		EXPECT_NE(NULL, strstr(self->said, bad[i].words))
		{
			TH_LOG("%s", self->said);
		}
	}
}

TEST_HARNESS_MAIN
