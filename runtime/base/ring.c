/* SPDX-License-Identifier: MIT */
#include "runtime/base/ring.h"

#include <assert.h>
#include <string.h>

void sb_ring_init(sb_ring *ring, void *memory, uint32_t capacity,
                  size_t item_size) {
    assert(capacity && (capacity & (capacity - 1)) == 0);
    ring->items = memory;
    ring->item_size = item_size;
    ring->capacity = capacity;
    atomic_init(&ring->pushed, 0);
    atomic_init(&ring->popped, 0);
}

static char *slot(const sb_ring *ring, uint32_t count) {
    return ring->items +
           (size_t)(count & (ring->capacity - 1)) * ring->item_size;
}

uint32_t sb_ring_room(const sb_ring *ring) {
    uint32_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
    uint32_t popped = atomic_load_explicit(&ring->popped, memory_order_acquire);
    return ring->capacity - (pushed - popped);
}

static uint32_t filled(const sb_ring *ring) {
    uint32_t popped = atomic_load_explicit(&ring->popped, memory_order_relaxed);
    uint32_t pushed = atomic_load_explicit(&ring->pushed, memory_order_acquire);
    return pushed - popped;
}

uint32_t sb_ring_write(sb_ring *ring, const void *items, uint32_t count) {
    uint32_t room = sb_ring_room(ring);
    if (count > room) count = room;
    uint32_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
    const char *from = items;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(slot(ring, pushed + i), from + (size_t)i * ring->item_size,
               ring->item_size);
    }
    atomic_store_explicit(&ring->pushed, pushed + count, memory_order_release);
    return count;
}

uint32_t sb_ring_read(sb_ring *ring, void *items, uint32_t count) {
    uint32_t fill = filled(ring);
    if (count > fill) count = fill;
    uint32_t popped = atomic_load_explicit(&ring->popped, memory_order_relaxed);
    char *to = items;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(to + (size_t)i * ring->item_size, slot(ring, popped + i),
               ring->item_size);
    }
    atomic_store_explicit(&ring->popped, popped + count, memory_order_release);
    return count;
}

bool sb_ring_push(sb_ring *ring, const void *item) {
    return sb_ring_write(ring, item, 1) == 1;
}

bool sb_ring_pop(sb_ring *ring, void *item) {
    return sb_ring_read(ring, item, 1) == 1;
}

const void *sb_ring_peek(const sb_ring *ring) {
    if (filled(ring) == 0) return NULL;
    return slot(ring,
                atomic_load_explicit(&ring->popped, memory_order_relaxed));
}
