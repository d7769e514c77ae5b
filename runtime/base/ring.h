/* runtime/base/ring.h -- a queue between exactly two threads, without a lock.
 *
 * One thread pushes, one pops; neither ever waits. A full ring refuses, an
 * empty ring says so. Items are copied in and out whole.
 *
 * Thread: push on one, pop on another; init and free while neither runs.
 * Memory: the caller's, `capacity * item_size` bytes, outliving the ring.
 */
#ifndef SB_BASE_RING_H
#define SB_BASE_RING_H

#include "runtime/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_ring {
    char *items;
    size_t item_size;
    uint32_t capacity; /* a power of two */
    /* Counts of all pushes and pops so far; their difference is the fill. On
     * cache lines of their own, so that the two threads do not fight. */
    _Alignas(64) atomic_uint pushed;
    _Alignas(64) atomic_uint popped;
} sb_ring;

/* `capacity` must be a power of two. */
void sb_ring_init(sb_ring *ring, void *memory, uint32_t capacity,
                  size_t item_size);

bool sb_ring_push(sb_ring *ring, const void *item) SB_RT;
bool sb_ring_pop(sb_ring *ring, void *item) SB_RT;

/* The oldest item without taking it, or NULL. Consumer only; valid until the
 * next pop. */
const void *sb_ring_peek(const sb_ring *ring) SB_RT;

/* Free places, as the producer sees it: there may be more by now. */
uint32_t sb_ring_room(const sb_ring *ring) SB_RT;

/* Push or pop up to `count` items at once; returns how many it was. */
uint32_t sb_ring_write(sb_ring *ring, const void *items, uint32_t count) SB_RT;
uint32_t sb_ring_read(sb_ring *ring, void *items, uint32_t count) SB_RT;

#endif
