/* Parses headers of PLY files. Runs in the reader process. */
#include "runtime/model/mesh/reader/ply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORD = 32, MOST_LINE = 400, MOST_WORDS = 5 };

struct words {
    int count; /* all of the line; only the first few are stored */
    char word[MOST_WORDS][MOST_WORD];
};

static struct words split(const char *line) {
    struct words words = {0};
    const char *at = line + strspn(line, " \t\r");
    while (*at) {
        size_t length = strcspn(at, " \t\r");
        if (words.count < MOST_WORDS) {
            (void)snprintf(words.word[words.count], MOST_WORD, "%.*s",
                           (int)(length < MOST_WORD ? length : MOST_WORD), at);
        }
        words.count++;
        at += length;
        at += strspn(at, " \t\r");
    }
    return words;
}

static sb_ply_type type_named(const char *name) {
    static const struct {
        const char *name, *other;
        sb_ply_type type;
    } types[] = {{"char", "int8", SB_PLY_INT8},
                 {"uchar", "uint8", SB_PLY_UINT8},
                 {"short", "int16", SB_PLY_INT16},
                 {"ushort", "uint16", SB_PLY_UINT16},
                 {"int", "int32", SB_PLY_INT32},
                 {"uint", "uint32", SB_PLY_UINT32},
                 {"float", "float32", SB_PLY_FLOAT32},
                 {"double", "float64", SB_PLY_FLOAT64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!strcmp(name, types[i].name) || !strcmp(name, types[i].other)) {
            return types[i].type;
        }
    }
    return SB_PLY_NO_TYPE;
}

static sb_ply_role role_named(const char *name, bool is_list) {
    static const struct {
        const char *name;
        bool is_list;
        sb_ply_role role;
    } roles[] = {{"x", false, SB_PLY_X},
                 {"y", false, SB_PLY_Y},
                 {"z", false, SB_PLY_Z},
                 {"s", false, SB_PLY_U},
                 {"u", false, SB_PLY_U},
                 {"texture_u", false, SB_PLY_U},
                 {"t", false, SB_PLY_V},
                 {"v", false, SB_PLY_V},
                 {"texture_v", false, SB_PLY_V},
                 {"vertex_indices", true, SB_PLY_CORNERS},
                 {"vertex_index", true, SB_PLY_CORNERS},
                 {"texcoord", true, SB_PLY_CORNER_UVS}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (is_list == roles[i].is_list && !strcmp(name, roles[i].name)) {
            return roles[i].role;
        }
    }
    return SB_PLY_OTHER;
}

static bool add_element(sb_ply *ply, const struct words *words) {
    char *stop = NULL;
    long long count = strtoll(words->word[2], &stop, 10);
    if (words->count != 3 || *stop || count < 0 ||
        ply->element_count == SB_PLY_MOST_ELEMENTS) {
        return false;
    }
    sb_ply_element *element = &ply->elements[ply->element_count++];
    element->count = count;
    if (!strcmp(words->word[1], "vertex")) element->kind = SB_PLY_VERTEX;
    if (!strcmp(words->word[1], "face")) element->kind = SB_PLY_FACE;
    return true;
}

static bool add_property(sb_ply *ply, const struct words *words) {
    if (ply->element_count == 0) return false;
    sb_ply_element *element = &ply->elements[ply->element_count - 1];
    if (element->property_count == SB_PLY_MOST_PROPERTIES) return false;
    bool is_list = !strcmp(words->word[1], "list");
    if (words->count != (is_list ? 5 : 3)) return false;
    sb_ply_property property = {
        .count_type = is_list ? type_named(words->word[2]) : SB_PLY_NO_TYPE,
        .type = type_named(words->word[is_list ? 3 : 1]),
        .role = role_named(words->word[is_list ? 4 : 2], is_list)};
    element->properties[element->property_count++] = property;
    bool is_countable = !is_list || (property.count_type != SB_PLY_NO_TYPE &&
                                     property.count_type < SB_PLY_FLOAT32);
    return property.type != SB_PLY_NO_TYPE && is_countable;
}

static bool set_format(sb_ply *ply, const struct words *words) {
    const char *name = words->word[1];
    if (!strcmp(name, "ascii")) ply->format = SB_PLY_TEXT;
    if (!strcmp(name, "binary_little_endian")) ply->format = SB_PLY_LITTLE;
    if (!strcmp(name, "binary_big_endian")) ply->format = SB_PLY_BIG;
    return words->count == 3 && (!strcmp(name, "ascii") ||
                                 !strncmp(name, "binary_", strlen("binary_")));
}

static bool take_line(sb_ply *ply, const char *line, bool *is_end) {
    struct words words = split(line);
    const char *first = words.word[0];
    *is_end = !strcmp(first, "end_header");
    if (!strcmp(first, "format")) return set_format(ply, &words);
    if (!strcmp(first, "element")) return add_element(ply, &words);
    if (!strcmp(first, "property")) return add_property(ply, &words);
    return *is_end || !strcmp(first, "comment") || !strcmp(first, "obj_info") ||
           words.count == 0;
}

/* An element without properties occupies no bytes, so any count would be
 * valid. */
static sb_status check(const sb_ply *ply, sb_error *err) {
    for (int i = 0; i < ply->element_count; i++) {
        const sb_ply_element *element = &ply->elements[i];
        if (element->count > 0 && element->property_count == 0) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "its header has an element without properties");
        }
    }
    return SB_OK;
}

sb_status sb_ply_read_head(sb_ply *ply, const char *bytes, size_t size,
                           sb_error *err) {
    const char *at = bytes, *end = bytes + size;
    bool is_end = false;
    for (int number = 1; at < end && !is_end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        char line[MOST_LINE] = {0};
        memcpy(line, at, length < MOST_LINE ? length : MOST_LINE - 1);
        at = stop ? stop + 1 : end;
        if (number == 1 && strncmp(line, "ply", 3) != 0) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "it does not begin with the word ply");
        }
        if (number > 1 && !take_line(ply, line, &is_end)) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "line %d of its header is invalid: "
                           "\"%.60s\"",
                           number, line);
        }
    }
    if (!is_end) {
        return sb_fail(err, SB_BAD_FORMAT, "its header has no end");
    }
    ply->data = at;
    return check(ply, err);
}
