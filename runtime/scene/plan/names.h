/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/names.h -- a hash table from names to places in an array.
 *
 * The owner keeps the names in an array of its own; the table stores only
 * chains of places with the same hash.
 *
 * Thread: control. Memory: owns `next`.
 */
#pragma once

#include <stdbool.h>

enum { SB_NAMES_BUCKETS = 1024, SB_NO_NAME = -1 };

/* The name at a place of the owner's array. */
typedef const char *sb_name_at(const void *owner, int place);

typedef struct sb_names {
    int first[SB_NAMES_BUCKETS]; /* place + 1; 0: none */
    int *next;                   /* by place: place + 1 */
    int capacity;
} sb_names;

/* Zeroed memory is an empty table. */
void sb_names_free(sb_names *names);

int sb_names_find(const sb_names *names, const char *name, sb_name_at *name_at,
                  const void *owner); /* or SB_NO_NAME */

/* Reserve room for places below `count`. False when out of memory. */
bool sb_names_reserve(sb_names *names, int count);

/* The place must have room, and its name must not be in the table. */
void sb_names_add(sb_names *names, const char *name, int place);
void sb_names_remove(sb_names *names, const char *name, int place);
