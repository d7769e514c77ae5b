/* SPDX-License-Identifier: MIT */
/* bindings/studio/net/mailbox.h -- what waits to be sent to one page.
 *
 * Three classes. Replies must arrive: they wait in order, and a page that lets
 * more than 4 MB of them pile up is closed. Events may be dropped, and are
 * counted then. Of a stream only the newest record of each kind waits; sound
 * and traces wait in short queues that lose their oldest.
 *
 * Streams need credit: no more than `window` binary messages may be on their
 * way beyond those that the page has acknowledged, because kernel and browser
 * would buffer minutes of them.
 *
 * Thread: any, one at a time; the owner holds a lock.
 * Memory: letters are shared by counting; the box frees what it holds.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LETTER_LEAD = 64,   /* free bytes before a letter, for framing */
    LETTER_HEADER = 16, /* of a binary record */
    MAILBOX_MUST_BYTES = 4 << 20,
    MAILBOX_EVENTS = 256,
    MAILBOX_STREAMS = 16, /* kinds of records, 0 .. 15 */
    MAILBOX_QUEUE = 128   /* records of sound or traces */
};

/* Bytes to be sent, to one page or to many. Immutable, but for the lead, which
 * the network thread uses. */
typedef struct letter {
    atomic_int users;
    bool is_binary;
    size_t count;
    unsigned char *bytes; /* after LETTER_LEAD others */
} letter;

/* Room for `count` bytes, zero; one user. NULL: out of memory. */
letter *letter_make(size_t count, bool is_binary);
letter *letter_text(const char *text);
/* A binary record (protocol.md) with room for this payload after its header of
 * 16 bytes. Also NULL: too long. */
letter *letter_record(int type, uint32_t sequence, size_t payload,
                      double time_s);
letter *letter_keep(letter *self); /* one user more */
void letter_drop(letter *self);    /* NULL is allowed */

typedef enum mail_class {
    MAIL_MUST,
    MAIL_EVENT,
    MAIL_STREAM, /* newest of its kind */
    MAIL_QUEUE   /* oldest are lost */
} mail_class;

typedef struct mail_list {
    letter **items; /* a ring */
    int first, count, capacity;
} mail_list;

typedef struct mailbox {
    mail_list must, events, queue;
    letter *streams[MAILBOX_STREAMS];
    size_t must_bytes;
    bool is_over;         /* too much waited, or no memory: close it */
    int window;           /* 0: no streams yet */
    uint32_t sent, acked; /* binary messages */
} mailbox;

void mailbox_clear(mailbox *self); /* free what waits */

/* Put a letter in; `kind` is that of a stream. The box keeps it. */
void mailbox_put(mailbox *self, mail_class class, int kind, letter *mail);
void mailbox_ack(mailbox *self, uint32_t count);

bool mailbox_has_mail(const mailbox *self);

/* The next message, which the caller drops, or NULL. All streams that wait go
 * into one. */
letter *mailbox_take(mailbox *self);
