/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hash table from strings to numbers. Keys are borrowed: they must outlive the map. It only
 * grows; keys are never removed.
 */
#ifndef RETSNOOP_BASE_STRMAP_H
#define RETSNOOP_BASE_STRMAP_H

#include <stddef.h>
#include <stdint.h>

struct strmap_slot {
	const char *key;	/* NULL: free */
	uint32_t hash;
	uint32_t value;
};

struct strmap {
	struct strmap_slot *slots;
	size_t len, cap;	/* cap: 0 or a power of two */
};

#define STRMAP_INIT { NULL, 0, 0 }

/* Room for @n keys without growing; 0 or -ENOMEM. */
int strmap_reserve(struct strmap *map, size_t n);

/* The value of @key, or NULL. Valid until a key is added. */
uint32_t *strmap_get(const struct strmap *map, const char *key);

/*
 * The value of @key, which is added with @value if it is new. NULL: out of memory. Valid until a
 * key is added.
 */
uint32_t *strmap_put(struct strmap *map, const char *key, uint32_t value);

void strmap_release(struct strmap *map);

#endif
