/* SPDX-License-Identifier: MIT */
/* What waits for a page: replies arrive in order or it is closed, events are
 * dropped and counted, of streams the newest is sent, and none without
 * credit. */
#include "bindings/studio/net/mailbox.h"
#include "runtime/base/memory.h"
#include "tests/suite.h"

#include <string.h>

static void put_text(mailbox *box, mail_class class, const char *text) {
    letter *mail = letter_text(text);
    mailbox_put(box, class, 0, mail);
    letter_drop(mail);
}

static void put_record(mailbox *box, mail_class class, int kind,
                       unsigned char mark) {
    letter *mail = letter_record(kind, mark, 16, 0.0);
    mail->bytes[16] = mark;
    mailbox_put(box, class, kind, mail);
    letter_drop(mail);
}

static void expect_text(mailbox *box, const char *text) {
    letter *mail = mailbox_take(box);
    ck_assert_ptr_nonnull(mail);
    ck_assert_str_eq((const char *)mail->bytes, text);
    letter_drop(mail);
}

START_TEST(replies_keep_their_order_and_go_first) {
    mailbox box = {.window = 1};
    put_record(&box, MAIL_STREAM, 4, 1);
    put_text(&box, MAIL_EVENT, "event");
    put_text(&box, MAIL_MUST, "a");
    put_text(&box, MAIL_MUST, "b");
    expect_text(&box, "a");
    expect_text(&box, "b");
    expect_text(&box, "event");
    letter *mail = mailbox_take(&box);
    ck_assert(mail && mail->is_binary);
    letter_drop(mail);
    ck_assert(!mailbox_has_mail(&box));
    mailbox_clear(&box);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(too_many_replies_close) {
    mailbox box = {0};
    letter *mail = letter_make(1 << 20, false);
    for (int i = 0; i < 4; i++)
        mailbox_put(&box, MAIL_MUST, 0, mail);
    ck_assert(!box.is_over);
    put_text(&box, MAIL_MUST, "one more");
    ck_assert(box.is_over);
    ck_assert(mailbox_has_mail(&box));
    letter_drop(mail);
    mailbox_clear(&box);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

START_TEST(events_beyond_the_limit_are_dropped) {
    mailbox box = {0};
    for (int i = 0; i < MAILBOX_EVENTS + 10; i++)
        put_text(&box, MAIL_EVENT, "e");
    ck_assert(!box.is_over);
    ck_assert_int_eq(box.events.count, MAILBOX_EVENTS);
    mailbox_clear(&box);
}
END_TEST

START_TEST(streams_send_the_newest_in_one_message) {
    mailbox box = {.window = 5};
    for (unsigned char i = 0; i < 50; i++) {
        put_record(&box, MAIL_STREAM, 1, i);
        put_record(&box, MAIL_STREAM, 2, i);
    }
    letter *mail = mailbox_take(&box);
    ck_assert_ptr_nonnull(mail);
    ck_assert_uint_eq(mail->count, 64);
    ck_assert_uint_eq(mail->bytes[0], 1);
    ck_assert_uint_eq(mail->bytes[16], 49);
    ck_assert_uint_eq(mail->bytes[32], 2);
    ck_assert_uint_eq(mail->bytes[48], 49);
    letter_drop(mail);
    ck_assert_ptr_null(mailbox_take(&box));
    mailbox_clear(&box);
}
END_TEST

START_TEST(queues_lose_their_oldest) {
    mailbox box = {.window = 5};
    for (int i = 0; i < MAILBOX_QUEUE + 3; i++)
        put_record(&box, MAIL_QUEUE, 5, (unsigned char)i);
    letter *mail = mailbox_take(&box);
    ck_assert_ptr_nonnull(mail);
    ck_assert_uint_eq(mail->count, 32 * MAILBOX_QUEUE);
    ck_assert_uint_eq(mail->bytes[16], 3);
    letter_drop(mail);
    mailbox_clear(&box);
}
END_TEST

START_TEST(without_credit_no_stream_is_sent) {
    mailbox box = {.window = 2};
    for (int i = 0; i < 2; i++) {
        put_record(&box, MAIL_STREAM, 1, 0);
        letter *mail = mailbox_take(&box);
        ck_assert_ptr_nonnull(mail);
        letter_drop(mail);
    }
    put_record(&box, MAIL_STREAM, 1, 0);
    ck_assert(!mailbox_has_mail(&box));
    ck_assert_ptr_null(mailbox_take(&box));
    put_text(&box, MAIL_MUST, "still");
    expect_text(&box, "still");
    mailbox_ack(&box, 99); /* more than was sent: ignored */
    ck_assert_ptr_null(mailbox_take(&box));
    mailbox_ack(&box, 1);
    letter *mail = mailbox_take(&box);
    ck_assert_ptr_nonnull(mail);
    letter_drop(mail);
    mailbox_ack(&box, 0); /* backward: ignored */
    ck_assert_uint_eq(box.acked, 1);
    mailbox_clear(&box);
    ck_assert_int_eq(sb_memory_live_blocks(), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("studio: mailbox");
    TCase *tcase = tcase_create("mailbox");
    tcase_add_test(tcase, replies_keep_their_order_and_go_first);
    tcase_add_test(tcase, too_many_replies_close);
    tcase_add_test(tcase, events_beyond_the_limit_are_dropped);
    tcase_add_test(tcase, streams_send_the_newest_in_one_message);
    tcase_add_test(tcase, queues_lose_their_oldest);
    tcase_add_test(tcase, without_credit_no_stream_is_sent);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
