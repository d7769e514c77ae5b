/* SPDX-License-Identifier: MIT */
/* A lesson as one page of HTML that prints well: formulas are MathML, pictures
 * are in the file itself. Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/lesson/lesson_files.h"

#include "bindings/lesson/formula.h"
#include "bindings/lesson/lesson.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char style[] =
    "@page{size:A4;margin:18mm}"
    "body{font:11pt/1.45 Georgia,serif;color:#111;max-width:44rem;margin:2rem "
    "auto;padding:0 1rem}"
    "h1{font-size:20pt;line-height:1.2;margin:0 0 1rem}"
    "h2{font-size:13pt;margin:1.5rem 0 .5rem}"
    "p{margin:.5rem 0}"
    "table{border-collapse:collapse;margin:.8rem 0}"
    "th,td{border-bottom:1px solid #bbb;padding:.2rem .8rem .2rem "
    "0;text-align:left;vertical-align:top}"
    "math{font-size:1.05em}math[display=block]{margin:.8rem 0}"
    "figure{margin:1rem 0;break-inside:avoid}"
    "img{max-width:100%;max-height:70mm}"
    "figcaption{font-size:9.5pt;color:#444}"
    ".box{border:1px solid #999;border-left:4px solid #444;padding:.4rem "
    ".7rem;margin:.7rem 0;break-inside:avoid}"
    ".press,.turn{margin:.3rem 0 .3rem 1rem}"
    ".kind{font:bold 8.5pt sans-serif;text-transform:uppercase;letter-spacing:"
    ".06em;color:#444;margin-right:.5rem}"
    ".line{border-bottom:1px solid #777;height:1.6rem}"
    ".teacher{break-before:page}"
    /* Pictures are dark: paper is not. */
    "@media print{img{filter:invert(1) hue-rotate(180deg)}}";

/* --- text ----------------------------------------------------------------------- */

static void put_spans(FILE *out, const char *text) {
    static const char *const tags[] = {NULL, "em", "strong", "code", NULL};
    lesson_span span;
    while (lesson_next_span(&text, &span)) {
        const char *tag = tags[span.kind];
        if (span.kind == SPAN_MATH) {
            char tex[600];
            (void)snprintf(tex, sizeof tex, "%.*s", span.count, span.text);
            formula_mathml(out, tex, false);
            continue;
        }
        if (tag) (void)fprintf(out, "<%s>", tag);
        write_escaped(out, span.text, (size_t)span.count);
        if (tag) (void)fprintf(out, "</%s>", tag);
    }
}

static void put_element(FILE *out, const char *tag, const char *text) {
    (void)fprintf(out, "<%s>", tag);
    put_spans(out, text);
    (void)fprintf(out, "</%s>", tag);
}

static void put_row(FILE *out, const lesson_part *part) {
    const char *row = part->text;
    char cell[LESSON_CELL_SIZE];
    (void)fputs("<tr>", out);
    while (lesson_next_cell(&row, cell))
        put_element(out, part->is_first ? "th" : "td", cell);
    (void)fputs("</tr>\n", out);
}

static void put_box(FILE *out, const lesson_part *part) {
    const char *kind = lesson_kind_names[part->kind];
    bool is_small = part->kind == LESSON_PRESS || part->kind == LESSON_TURN;
    (void)fprintf(out, "<div class=\"%s\"><span class=\"kind\">%s</span>",
                  is_small ? kind : "box", kind);
    if (part->kind == LESSON_TURN)
        (void)fprintf(out, "<code>%s</code>: ", part->name);
    put_spans(out, part->text);
    if (!is_small) (void)fputs("<div class=\"line\"></div>", out);
    (void)fputs("</div>\n", out);
}

/* --- pictures ------------------------------------------------------------------- */

static void put_base64(FILE *out, const unsigned char *bytes, size_t count) {
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
        "uvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        unsigned long word = (unsigned long)bytes[i] << 16;
        if (left > 1) word |= (unsigned long)bytes[i + 1] << 8;
        if (left > 2) word |= bytes[i + 2];
        (void)fputc(digits[word >> 18 & 63], out);
        (void)fputc(digits[word >> 12 & 63], out);
        (void)fputc(left > 1 ? digits[word >> 6 & 63] : '=', out);
        (void)fputc(left > 2 ? digits[word & 63] : '=', out);
    }
}

static bool put_picture(FILE *out, const lesson_files *lesson,
                        const lesson_part *part) {
    char png[] = "/tmp/sandbell-lesson-XXXXXX.png", message[200];
    int descriptor = mkstemps(png, 4);
    if (descriptor < 0) return false;
    (void)close(descriptor);
    size_t count = 0;
    char *bytes = NULL;
    if (lesson_draw(lesson, part->source, png, message)) {
        bytes = lesson_read(png, &count);
    } else {
        (void)fprintf(stderr, "sandbell lesson: %s\n", message);
    }
    (void)unlink(png);
    if (!bytes) return false;
    (void)fputs("<figure><img alt=\"", out);
    write_escaped(out, part->text, strlen(part->text));
    (void)fputs("\" src=\"data:image/png;base64,", out);
    put_base64(out, (const unsigned char *)bytes, count);
    (void)fputs("\"><figcaption>", out);
    put_spans(out, part->text);
    (void)fputs("</figcaption></figure>\n", out);
    sb_free(bytes);
    return true;
}

/* --- the page ------------------------------------------------------------------- */

static bool put_part(FILE *out, const lesson_files *lesson,
                     const lesson_part *part) {
    static const char *const tags[LESSON_KINDS] = {[LESSON_TITLE] = "h1",
                                                   [LESSON_HEADING] = "h2",
                                                   [LESSON_PARAGRAPH] = "p"};
    if (part->kind == LESSON_LIST) return true; /* the page has it */
    if (part->kind == LESSON_PICTURE) return put_picture(out, lesson, part);
    if (tags[part->kind]) {
        put_element(out, tags[part->kind], part->text);
        (void)fputc('\n', out);
    } else if (part->kind == LESSON_FORMULA) {
        formula_mathml(out, part->text, true);
        (void)fputc('\n', out);
    } else if (part->kind == LESSON_ROW) {
        put_row(out, part);
    } else {
        put_box(out, part);
    }
    return true;
}

static bool put_page(FILE *out, const lesson_files *lesson,
                     const lesson_doc *doc, bool is_for_students) {
    bool in_table = false, is_teacher = false, is_whole = true;
    (void)fputs("<!doctype html>\n<html lang=\"en\"><head><meta "
                "charset=\"utf-8\">\n<title>",
                out);
    write_escaped(out, lesson_doc_title(doc), strlen(lesson_doc_title(doc)));
    (void)fprintf(out, "</title>\n<style>%s</style></head><body>\n", style);
    for (int i = 0; i < lesson_doc_count(doc); i++) {
        const lesson_part *part = lesson_doc_at(doc, i);
        if (part->is_for_teacher && is_for_students) continue;
        bool is_row = part->kind == LESSON_ROW;
        if (in_table && !is_row) (void)fputs("</table>\n", out);
        if (is_row && !in_table) (void)fputs("<table>\n", out);
        in_table = is_row;
        if (part->is_for_teacher && !is_teacher)
            (void)fputs("<div class=\"teacher\">\n", out);
        is_teacher = is_teacher || part->is_for_teacher;
        is_whole = put_part(out, lesson, part) && is_whole;
    }
    if (in_table) (void)fputs("</table>\n", out);
    if (is_teacher) (void)fputs("</div>\n", out);
    (void)fputs("</body></html>\n", out);
    return is_whole;
}

int lesson_handout(const lesson_files *lesson, const lesson_doc *doc,
                   const char *path, bool is_for_students) {
    char *text = NULL;
    size_t size;
    sb_error err;
    FILE *out = open_memstream(&text, &size);
    bool is_whole = out && put_page(out, lesson, doc, is_for_students);
    if (out && fclose(out)) is_whole = false;
    int code = EXIT_ASSET;
    if (is_whole && sb_out_file_put(path, text, size, &err)) {
        code = fail_with(&err);
    } else if (is_whole) {
        results_are_files();
        (void)printf("%s: lesson %d, to be printed\n", path, lesson->number);
        code = EXIT_OK;
    } else {
        (void)fprintf(stderr, "sandbell lesson: %s was not written\n", path);
    }
    free(text); /* allocated by open_memstream */
    return code;
}
