/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hash of bytes for tables in memory. Not for keys that an enemy can choose, nor for files: it depends
 * on the machine's order of bytes.
 */
#ifndef RETSNOOP_BASE_HASH_H
#define RETSNOOP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Both halves of the product: each bit of the word has a say in the low bits of the hash. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
	unsigned __int128 product = (unsigned __int128)(hash ^ word) * 0x9e3779b97f4a7c15ull;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Eight bytes at a time: tables of all the kernel's names are in the way of every start. */
static inline uint32_t hash_bytes(const void *data, size_t len)
{
	const char *bytes = data;
	uint64_t hash = len, word = 0;
	size_t at = 0;

	for (; len - at > 8; at += 8) {
		memcpy(&word, bytes + at, 8);
		hash = hash_mix(hash, word);
	}
	/* The rest; some bytes twice rather than one by one. */
	if (len >= 8) {
		memcpy(&word, bytes + len - 8, 8);
	} else if (len >= 4) {
		uint32_t first, last;

		memcpy(&first, bytes, 4);
		memcpy(&last, bytes + len - 4, 4);
		word = (uint64_t)first << 32 | last;
	} else if (len) {
		word = (uint64_t)(uint8_t)bytes[0] << 16 | (uint64_t)(uint8_t)bytes[len / 2] << 8 |
		       (uint8_t)bytes[len - 1];
	}
	hash = hash_mix(hash, word);
	return (uint32_t)(hash ^ hash >> 32);
}

#endif
