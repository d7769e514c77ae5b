/* SPDX-License-Identifier: MIT */
/* Keeps letters in three classes. Thread: under the owner's lock. */
#include "bindings/studio/net/mailbox.h"

#include "runtime/base/memory.h"

#include <string.h>

letter *letter_make(size_t count, bool is_binary) {
    letter *self = sb_alloc(1, sizeof *self + LETTER_LEAD + count + 1);
    if (!self) return NULL;
    atomic_init(&self->users, 1);
    self->is_binary = is_binary;
    self->count = count;
    self->bytes = (unsigned char *)(self + 1) + LETTER_LEAD;
    return self;
}

letter *letter_text(const char *text) {
    size_t count = strlen(text);
    letter *self = letter_make(count, false);
    if (self) memcpy(self->bytes, text, count);
    return self;
}

letter *letter_record(int type, uint32_t sequence, size_t payload,
                      double time_s) {
    size_t padded = (payload + 15) / 16 * 16;
    if (padded / 16 > UINT16_MAX) return NULL;
    letter *mail = letter_make(16 + padded, true);
    if (!mail) return NULL;
    uint16_t size = (uint16_t)(padded / 16);
    mail->bytes[0] = (unsigned char)type;
    mail->bytes[1] = 1;
    memcpy(mail->bytes + 2, &size, 2);
    memcpy(mail->bytes + 4, &sequence, 4);
    memcpy(mail->bytes + 8, &time_s, 8);
    return mail;
}

letter *letter_keep(letter *self) {
    if (self) (void)atomic_fetch_add(&self->users, 1);
    return self;
}

void letter_drop(letter *self) {
    if (self && atomic_fetch_sub(&self->users, 1) == 1) sb_free(self);
}

/* --- lists ---------------------------------------------------------------- */

static letter *pop(mail_list *list) {
    if (list->count == 0) return NULL;
    letter *mail = list->items[list->first];
    list->first = (list->first + 1) % list->capacity;
    list->count--;
    return mail;
}

static bool push(mail_list *list, letter *mail) {
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 16;
        letter **items = sb_alloc((size_t)capacity, sizeof *items);
        if (!items) return false;
        for (int i = 0; i < list->count; i++)
            items[i] = list->items[(list->first + i) % list->capacity];
        sb_free(list->items);
        list->items = items;
        list->first = 0;
        list->capacity = capacity;
    }
    list->items[(list->first + list->count) % list->capacity] = mail;
    list->count++;
    return true;
}

static void clear(mail_list *list) {
    for (letter *mail = pop(list); mail; mail = pop(list))
        letter_drop(mail);
    sb_free(list->items);
    *list = (mail_list){0};
}

void mailbox_clear(mailbox *self) {
    clear(&self->must);
    clear(&self->events);
    clear(&self->queue);
    for (int i = 0; i < MAILBOX_STREAMS; i++) {
        letter_drop(self->streams[i]);
        self->streams[i] = NULL;
    }
    self->must_bytes = 0;
}

/* --- putting -------------------------------------------------------------- */

static void put_must(mailbox *self, letter *mail) {
    if (self->must_bytes + mail->count > MAILBOX_MUST_BYTES ||
        !push(&self->must, mail)) {
        self->is_over = true;
        return;
    }
    (void)letter_keep(mail);
    self->must_bytes += mail->count;
}

static void put_event(mailbox *self, letter *mail) {
    if (self->events.count < MAILBOX_EVENTS && push(&self->events, mail))
        (void)letter_keep(mail);
}

static void put_queue(mailbox *self, letter *mail) {
    if (self->queue.count >= MAILBOX_QUEUE) letter_drop(pop(&self->queue));
    if (push(&self->queue, mail)) (void)letter_keep(mail);
}

void mailbox_put(mailbox *self, mail_class class, int kind, letter *mail) {
    if (!mail) {
        if (class == MAIL_MUST) self->is_over = true;
        return;
    }
    if (self->is_over) return;
    switch (class) {
    case MAIL_MUST:
        put_must(self, mail);
        break;
    case MAIL_EVENT:
        put_event(self, mail);
        break;
    case MAIL_STREAM:
        letter_drop(self->streams[kind % MAILBOX_STREAMS]);
        self->streams[kind % MAILBOX_STREAMS] = letter_keep(mail);
        break;
    case MAIL_QUEUE:
        put_queue(self, mail);
        break;
    }
}

void mailbox_ack(mailbox *self, uint32_t count) {
    /* Only forward, and not beyond what was sent. */
    if (count > self->acked && count <= self->sent) self->acked = count;
}

/* --- taking --------------------------------------------------------------- */

static bool has_credit(const mailbox *self) {
    return self->sent - self->acked < (uint32_t)self->window;
}

static bool has_stream(const mailbox *self) {
    bool has_any = self->queue.count > 0;
    for (int i = 0; i < MAILBOX_STREAMS; i++)
        has_any = has_any || self->streams[i];
    return has_any;
}

bool mailbox_has_mail(const mailbox *self) {
    return self->is_over || self->must.count > 0 || self->events.count > 0 ||
           (has_credit(self) && has_stream(self));
}

/* All that waits, in one message. */
static letter *take_streams(mailbox *self) {
    enum { MOST = 1 << 20 };
    letter *parts[MAILBOX_STREAMS + MAILBOX_QUEUE];
    int part_count = 0;
    size_t bytes = 0;
    for (int i = 0; i < MAILBOX_STREAMS; i++) {
        letter *mail = self->streams[i];
        if (!mail || bytes + mail->count > MOST) continue;
        bytes += mail->count;
        parts[part_count++] = mail;
        self->streams[i] = NULL;
    }
    while (self->queue.count > 0 && part_count < MAILBOX_QUEUE &&
           bytes + self->queue.items[self->queue.first]->count <= MOST) {
        letter *mail = pop(&self->queue);
        bytes += mail->count;
        parts[part_count++] = mail;
    }
    if (part_count == 1) return parts[0];
    letter *all = part_count > 0 ? letter_make(bytes, true) : NULL;
    size_t used = 0;
    for (int i = 0; i < part_count; i++) {
        if (all) memcpy(all->bytes + used, parts[i]->bytes, parts[i]->count);
        used += parts[i]->count;
        letter_drop(parts[i]);
    }
    return all;
}

letter *mailbox_take(mailbox *self) {
    letter *mail = pop(&self->must);
    if (mail) {
        self->must_bytes -= mail->count;
        self->sent += mail->is_binary;
        return mail;
    }
    mail = pop(&self->events);
    if (mail) return mail;
    if (!has_credit(self) || !has_stream(self)) return NULL;
    mail = take_streams(self);
    if (mail) self->sent++;
    return mail;
}
