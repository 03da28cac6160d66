// SPDX-License-Identifier: BSD-2-Clause
/* Open addressing with linear probing, never more than half full. */
#include "util/base/strmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"

static uint32_t hash_string(const char *s)
{
	return hash_bytes(s, strlen(s));
}

static struct strmap_slot *find_slot(const struct strmap *map, const char *key, uint32_t hash)
{
	size_t mask = map->cap - 1, i = hash & mask;

	for (; map->slots[i].key; i = (i + 1) & mask) {
		if (map->slots[i].hash == hash && !strcmp(map->slots[i].key, key))
			break;
	}
	return &map->slots[i];
}

int strmap_reserve(struct strmap *map, size_t n)
{
	struct strmap grown = { .cap = map->cap ? map->cap : 16, .len = map->len };

	if (n * 2 <= map->cap)
		return 0;
	while (grown.cap < n * 2)
		grown.cap *= 2;
	grown.slots = calloc(grown.cap, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->cap; i++) {
		size_t to = map->slots[i].hash & (grown.cap - 1);

		if (!map->slots[i].key)
			continue;
		/* Keys differ already: only a free slot has to be found. */
		while (grown.slots[to].key)
			to = (to + 1) & (grown.cap - 1);
		grown.slots[to] = map->slots[i];
	}
	free(map->slots);
	*map = grown;
	return 0;
}

uint32_t *strmap_get(const struct strmap *map, const char *key)
{
	struct strmap_slot *slot;

	if (!map->len)
		return NULL;
	slot = find_slot(map, key, hash_string(key));
	return slot->key ? &slot->value : NULL;
}

uint32_t *strmap_put(struct strmap *map, const char *key, uint32_t value)
{
	uint32_t hash = hash_string(key);
	struct strmap_slot *slot;

	if (strmap_reserve(map, map->len + 1))
		return NULL;
	slot = find_slot(map, key, hash);
	if (!slot->key) {
		*slot = (struct strmap_slot){ key, hash, value };
		map->len++;
	}
	return &slot->value;
}

void strmap_release(struct strmap *map)
{
	free(map->slots);
	*map = (struct strmap)STRMAP_INIT;
}
