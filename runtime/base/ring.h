/* SPDX-License-Identifier: MIT */
/* runtime/base/ring.h -- a lock-free queue between exactly two threads.
 *
 * One thread pushes, one pops; neither ever waits. A push to a full ring and a
 * pop from an empty one return false. Items are copied in and out.
 *
 * Thread: push on one, pop on another; init and free while neither runs.
 * Memory: `capacity * item_size` bytes of the caller, which outlive the ring.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_ring {
    char *items;
    size_t item_size;
    uint32_t capacity; /* a power of two */
    /* Total numbers of pushes and pops; their difference is the number of
     * items. Each has its own cache line, which avoids false sharing. */
    _Alignas(64) atomic_uint pushed;
    _Alignas(64) atomic_uint popped;
} sb_ring;

/* `capacity` must be a power of two. */
void sb_ring_init(sb_ring *ring, void *memory, uint32_t capacity,
                  size_t item_size);

bool sb_ring_push(sb_ring *ring, const void *item) SB_RT;
bool sb_ring_pop(sb_ring *ring, void *item) SB_RT;

/* The oldest item, which stays in the ring, or NULL. Consumer only; valid until
 * the next pop. */
const void *sb_ring_peek(const sb_ring *ring) SB_RT;

/* Free slots, for the producer; the consumer may have freed more since. */
uint32_t sb_ring_room(const sb_ring *ring) SB_RT;

/* Push or pop up to `count` items at once; returns the number transferred. */
uint32_t sb_ring_write(sb_ring *ring, const void *items, uint32_t count) SB_RT;
uint32_t sb_ring_read(sb_ring *ring, void *items, uint32_t count) SB_RT;
