/* SPDX-License-Identifier: MIT */
/* A parser by recursive descent that writes as it reads. Thread: any. */
#include "bindings/lesson/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *at;
    FILE *out;
    bool is_text; /* else MathML */
    int depth;
    char last; /* first byte of the item before */
} reader;

enum { DEEPEST = 32, FENCE = '\1' }; /* FENCE: a row that \right ends */

static const struct sign {
    const char *name, *text;
    char kind; /* i: identifier, o: operator, f: function */
} signs[] = {
    {"alpha", "α", 'i'},       {"beta", "β", 'i'},   {"zeta", "ζ", 'i'},
    {"sigma", "σ", 'i'},       {"phi", "φ", 'i'},    {"pi", "π", 'i'},
    {"omega", "ω", 'i'},       {"lambda", "λ", 'i'}, {"approx", "≈", 'o'},
    {"propto", "∝", 'o'},      {"cdot", "·", 'o'},   {"le", "≤", 'o'},
    {"times", "×", 'o'},       {"sum", "∑", 'o'},    {"sin", "sin", 'f'},
    {"cos", "cos", 'f'},       {"ln", "ln", 'f'},    {"arctan", "arctan", 'f'},
    {"arcsin", "arcsin", 'f'},
};

void write_escaped(FILE *out, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        switch (text[i]) {
        case '&':
            (void)fputs("&amp;", out);
            break;
        case '<':
            (void)fputs("&lt;", out);
            break;
        case '>':
            (void)fputs("&gt;", out);
            break;
        case '"':
            (void)fputs("&quot;", out);
            break;
        default:
            (void)fputc(text[i], out);
        }
    }
}

static void put(const reader *self, const char *tag, const char *text,
                size_t count) {
    if (self->is_text) {
        (void)fwrite(text, 1, count, self->out);
        return;
    }
    (void)fprintf(self->out, "<%s>", tag);
    write_escaped(self->out, text, count);
    (void)fprintf(self->out, "</%s>", tag);
}

static void tag(const reader *self, const char *name) {
    if (!self->is_text) (void)fprintf(self->out, "<%s>", name);
}

static void plain(const reader *self, const char *text) {
    if (self->is_text) (void)fputs(text, self->out);
}

static void skip_blanks(reader *self) {
    while (*self->at == ' ')
        self->at++;
}

static void read_row(reader *self, char end);
static void read_item(reader *self);

/* { ... }, or one item; `is_wrapped`: as text in brackets if it is longer. */
static void read_group(reader *self, bool is_wrapped) {
    skip_blanks(self);
    if (*self->at != '{') {
        read_item(self);
        return;
    }
    self->at++;
    const char *close = strchr(self->at, '}');
    bool is_long = is_wrapped && close && close - self->at > 1;
    tag(self, "mrow");
    if (is_long) plain(self, "(");
    read_row(self, '}');
    if (is_long) plain(self, ")");
    tag(self, "/mrow");
    if (*self->at == '}') self->at++;
}

static bool is_named(const char *at, size_t length, const char *name) {
    return strlen(name) == length && strncmp(at, name, length) == 0;
}

static void put_sign(const reader *self, const struct sign *sign) {
    size_t count = strlen(sign->text);
    bool is_function = sign->kind == 'f' && !self->is_text;
    /* Browsers leave no room beside a name: a sin x, not asinx. */
    if (is_function) (void)fputs("<mspace width=\"0.17em\"/>", self->out);
    if (sign->kind == 'o' && self->is_text) {
        (void)fprintf(self->out, " %s ", sign->text);
    } else {
        put(self, sign->kind == 'o' ? "mo" : "mi", sign->text, count);
    }
    if (is_function) {
        (void)fputs("<mo>&#x2061;</mo>", self->out); /* function application */
        if (self->at[strspn(self->at, " ")] != '(')
            (void)fputs("<mspace width=\"0.17em\"/>", self->out);
    }
}

/* Whether something stands behind a fraction, in a line of text. */
static bool is_followed(const char *at) {
    int depth = 0;
    for (int groups = 0; *at && groups < 2; at++) {
        depth += (*at == '{') - (*at == '}');
        groups += *at == '}' && depth == 0;
    }
    at += strspn(at, " ");
    return *at && !strchr("}=,", *at) && strncmp(at, "\\approx", 7) != 0;
}

/* Behind \left: a bracket, to \right and the other bracket. As one item, so that
 * both grow alike and a power stands beside them. */
static void read_fence(reader *self) {
    tag(self, "mrow");
    if (*self->at) put(self, "mo", self->at++, 1);
    read_row(self, FENCE);
    if (*self->at) self->at += strlen("\\right");
    if (*self->at) put(self, "mo", self->at++, 1);
    tag(self, "/mrow");
}

static void read_command(reader *self) {
    const char *from = ++self->at;
    while (isalpha((unsigned char)*self->at))
        self->at++;
    size_t length = (size_t)(self->at - from);
    if (is_named(from, length, "frac")) {
        bool is_factor = is_followed(self->at);
        tag(self, "mfrac");
        plain(self, is_factor ? "(" : "");
        read_group(self, true);
        plain(self, " / ");
        read_group(self, true);
        plain(self, is_factor ? ")" : "");
        tag(self, "/mfrac");
        return;
    }
    if (is_named(from, length, "sqrt")) {
        tag(self, "msqrt");
        plain(self, "√");
        read_group(self, true);
        tag(self, "/msqrt");
        return;
    }
    if (is_named(from, length, "left")) {
        read_fence(self);
        return;
    }
    if (is_named(from, length, "right")) return; /* without its left */
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!is_named(from, length, signs[i].name)) continue;
        put_sign(self, &signs[i]);
        return;
    }
    put(self, "mtext", from - 1, length + 1);
}

static void read_plain_item(reader *self) {
    const char *from = self->at;
    if (isdigit((unsigned char)*from)) {
        while (isdigit((unsigned char)*self->at) ||
               ((*self->at == '.' || *self->at == ',') &&
                isdigit((unsigned char)self->at[1]))) {
            self->at++;
        }
        put(self, "mn", from, (size_t)(self->at - from));
    } else if (isalpha((unsigned char)*from)) {
        self->at++;
        put(self, "mi", from, 1);
    } else {
        self->at++;
        if (*from == '-') {
            put(self, "mo", self->is_text ? "-" : "−", self->is_text ? 1 : 3);
        } else if (*from == '\'') {
            put(self, "mo", "′", strlen("′"));
        } else if (self->is_text && *from == '=') {
            (void)fputs(" = ", self->out);
        } else if (self->is_text && *from == '+') {
            (void)fputs(" + ", self->out);
        } else if (!self->is_text && strchr("()[]|", *from)) {
            /* One of a pair may be a base of its own, as in (p)^2, and would
             * not grow with the other. */
            (void)fprintf(self->out, "<mo stretchy=\"false\">%c</mo>", *from);
        } else {
            put(self, "mo", from, 1);
        }
    }
}

/* Without what stands above or below it. */
static void read_base(reader *self) {
    skip_blanks(self);
    if (*self->at == '\\') {
        read_command(self);
    } else if (*self->at == '{') {
        read_group(self, false);
    } else if (*self->at && *self->at != '}') {
        read_plain_item(self);
    }
}

/* What `read` writes, as a text of its own; the caller frees it. */
static char *aside(reader *self, void (*read)(reader *self)) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = self->out, *kept = open_memstream(&text, &size);
    if (!kept) return NULL;
    self->out = kept;
    read(self);
    self->out = out;
    if (fclose(kept)) {
        free(text); /* allocated by open_memstream */
        return NULL;
    }
    return text;
}

static void read_script(reader *self) {
    self->at++;
    read_group(self, true);
}

static void put_scripts(const reader *self, const char *base, const char *low,
                        const char *high) {
    if (self->is_text) {
        (void)fprintf(self->out, "%s%s%s%s%s", base, low ? "_" : "",
                      low ? low : "", high ? "^" : "", high ? high : "");
        return;
    }
    const char *name = low && high ? "msubsup" : low ? "msub" : "msup";
    bool is_bare = !low && !high;
    if (!is_bare) tag(self, name);
    (void)fprintf(self->out, "%s%s%s", base, low ? low : "", high ? high : "");
    if (!is_bare) (void)fprintf(self->out, "</%s>", name);
}

/* A base, and what stands below and above it. */
static void read_item(reader *self) {
    if (self->depth >= DEEPEST) {
        self->at += strlen(self->at);
        return;
    }
    self->depth++;
    char *base = aside(self, read_base);
    char *low = *self->at == '_' ? aside(self, read_script) : NULL;
    char *high = *self->at == '^' ? aside(self, read_script) : NULL;
    put_scripts(self, base ? base : "", low, high);
    free(base); /* all allocated by open_memstream */
    free(low);
    free(high);
    self->depth--;
}

static void read_row(reader *self, char end) {
    bool is_first = true;
    for (;;) {
        bool has_blank = *self->at == ' ';
        skip_blanks(self);
        if (!*self->at || *self->at == end) return;
        if (end == FENCE && strncmp(self->at, "\\right", 6) == 0) return;
        /* = and + bring blanks of their own. */
        char before = is_first ? '=' : self->last;
        if (has_blank && self->is_text && !strchr("=+", *self->at) &&
            !strchr("=+", before)) {
            (void)fputc(' ', self->out);
        }
        const char *from = self->at;
        self->last = *from;
        read_item(self);
        if (self->at == from) self->at++; /* a stray bracket */
        is_first = false;
    }
}

void formula_mathml(FILE *out, const char *tex, bool is_block) {
    reader self = {.at = tex, .out = out};
    (void)fprintf(out,
                  "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"%s><mrow>",
                  is_block ? " display=\"block\"" : "");
    read_row(&self, '\0');
    (void)fputs("</mrow></math>", out);
}

void formula_text(FILE *out, const char *tex) {
    reader self = {.at = tex, .out = out, .is_text = true};
    read_row(&self, '\0');
}
