// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs a harness without libFuzzer: on each input of its corpus, and on 500 damaged copies (or
 * $FUZZ_COPIES) that are the same each time. The argument is the corpus, or a single input. Prints TAP;
 * when the harness dies, the input is kept in a file of the current directory.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/base/cleanup.h"

#define MAX_SIZE 16384
#define CPU_SECONDS 60 /* that one input may take */
#define SECONDS 600 /* the same if it only waits; a machine may stand still for a minute */

/* What is running now, for the death of the harness. */
static const uint8_t *running;
static int ran; /* the running one's number, too */
static size_t running_size;

void __sanitizer_set_death_callback(void (*fn)(void));

/* xorshift */
static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void run_input(const uint8_t *data, size_t size)
{
	static const struct itimerval limit = { .it_value.tv_sec = CPU_SECONDS };
	/* Of just that size, for the sanitizer to see what is read beyond. */
	uint8_t *copy = malloc(size + !size);

	if (size)
		memcpy(copy, data, size);
	running = data;
	ran++;
	running_size = size;
	alarm(SECONDS);
	setitimer(ITIMER_PROF, &limit, NULL);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void keep_input(void)
{
	_cleanup_(free_p) char *path = strf("%s-died", program_invocation_short_name);
	_cleanup_(fclose_p) FILE *file = fopen(path, "we");

	/* To the descriptor: the harness is quiet, and its stream leads nowhere. */
	dprintf(STDERR_FILENO, "it was input %d\n", ran);
	if (file && fwrite(running, 1, running_size, file) == running_size)
		dprintf(STDERR_FILENO, "which is kept in %s\n", path);
}

static void on_alarm(int signal)
{
	/* Nothing else runs then: a hang is in the harness. */
	dprintf(STDERR_FILENO,
		signal == SIGPROF ? "an input takes more than %d s of CPU time\n" :
				    "an input takes more than %d s\n",
		signal == SIGPROF ? CPU_SECONDS : SECONDS);
	keep_input();
	_exit(1);
}

static void damage(uint8_t *data, size_t *size, uint32_t *random)
{
	for (uint32_t n = next_random(random) % 8; *size; n--) {
		size_t at = next_random(random) % *size;

		switch (next_random(random) % 8) {
		case 0:
			*size = at;
			break;
		case 1:
			memmove(data + at, data + at + 1, --*size - at);
			break;
		case 2:
			data[at] = 0xff;
			break;
		case 3:
			data[at] = 0;
			break;
		case 4:
			data[at] ^= 1 << next_random(random) % 8;
			break;
		case 5:
			data[at] = data[next_random(random) % *size];
			break;
		default:
			data[at] = next_random(random);
		}
		if (!n)
			break;
	}
}

static size_t read_file(const char *path, uint8_t *data)
{
	_cleanup_(fclose_p) FILE *file = fopen(path, "re");

	return file ? fread(data, 1, MAX_SIZE, file) : 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_input(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

int main(int argc, char **argv)
{
	static uint8_t sound[MAX_SIZE], data[MAX_SIZE];
	_cleanup_(free_p) char *own = strf("tests/fuzz/corpus/%s",
					program_invocation_short_name + strlen("fuzz_"));
	const char *corpus = argc == 2 ? argv[1] : own;
	const char *wanted = getenv("FUZZ_COPIES");
	int copies = wanted ? atoi(wanted) : 500;
	struct dirent **entries = NULL;
	int nr = scandir(corpus, &entries, is_input, by_name);
	FILE *out = fdopen(dup(STDOUT_FILENO), "w"); /* harnesses print to stdout */
	uint32_t random = 1;

	if (!out)
		return 1;
	fprintf(out, "TAP version 13\n1..1\n");
	fflush(out);
	fuzz_quiet();
	__sanitizer_set_death_callback(keep_input);
	signal(SIGALRM, on_alarm);
	signal(SIGPROF, on_alarm);
	if (nr < 0 && argc == 2)
		run_input(data, read_file(corpus, data));
	for (int i = 0; i < nr; i++) {
		char *path = strf("%s/%s", corpus, entries[i]->d_name);
		size_t size = read_file(path, sound);

		free(path);
		free(entries[i]);
		run_input(sound, size);
		for (int copy = 0; copy < 1 + copies / nr; copy++) {
			size_t changed = size;

			memcpy(data, sound, size);
			damage(data, &changed, &random);
			run_input(data, changed);
		}
	}
	free(entries);
	fprintf(out, "%sok 1 %s (%d inputs)\n", ran ? "" : "not ", program_invocation_short_name,
		ran);
	fclose(out);
	return !ran;
}
