/* SPDX-License-Identifier: MIT */
/* Follows frames as they are received. */
#include "bindings/studio/net/net_internal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

enum { HEAD_BYTES = 14, MASK_BYTES = 4 };

typedef struct frame_reader {
    atomic_int watched; /* descriptor + 1; 0: none */
    unsigned char head[HEAD_BYTES];
    int have;      /* bytes of the header */
    uint64_t left; /* bytes of the payload */
} frame_reader;

static frame_reader readers[NET_CLIENTS];

static frame_reader *find(int descriptor) {
    for (int i = 0; i < NET_CLIENTS; i++)
        if (atomic_load(&readers[i].watched) == descriptor + 1)
            return &readers[i];
    return NULL;
}

void masks_watch(int descriptor) {
    masks_forget(descriptor);
    frame_reader *free_one = descriptor < 0 ? NULL : find(-1);
    if (!free_one) return;
    free_one->have = 0;
    free_one->left = 0;
    atomic_store(&free_one->watched, descriptor + 1);
}

void masks_forget(int descriptor) {
    frame_reader *reader = descriptor < 0 ? NULL : find(descriptor);
    if (reader) atomic_store(&reader->watched, 0);
}

/* Bytes of the length after the first two. */
static int length_bytes(const frame_reader *self) {
    int code = self->head[1] & 127;
    return code == 127 ? 8 : code == 126 ? 2 : 0;
}

static uint64_t length_of(const frame_reader *self) {
    uint64_t length = self->head[1] & 127u;
    int more = length_bytes(self);
    if (more > 0) length = 0;
    for (int i = 0; i < more; i++)
        length = length << 8 | self->head[2 + i];
    return length;
}

static bool are_masked(frame_reader *self, const unsigned char *bytes,
                       size_t count) {
    while (count > 0) {
        size_t skipped = self->left < count ? (size_t)self->left : count;
        self->left -= skipped;
        bytes += skipped;
        count -= skipped;
        if (count == 0) break;
        self->head[self->have++] = *bytes++;
        count--;
        if (self->have < 2) continue;
        if (!(self->head[1] & 128)) return false;
        if (self->have < 2 + length_bytes(self) + MASK_BYTES) continue;
        self->left = length_of(self);
        self->have = 0;
    }
    return true;
}

/* Hidden, it would not be the one that libwebsockets calls. */
__attribute__((visibility("default"))) ssize_t recv(int descriptor, void *bytes,
                                                    size_t count, int flags) {
    ssize_t got = recvfrom(descriptor, bytes, count, flags, NULL, NULL);
    frame_reader *reader =
        got > 0 && !(flags & MSG_PEEK) ? find(descriptor) : NULL;
    if (!reader || are_masked(reader, bytes, (size_t)got)) return got;
    memset(bytes, 0, (size_t)got);
    errno = EPROTO;
    return -1;
}
