/* SPDX-License-Identifier: MIT */
#include "runtime/scene/plan/names.h"

#include "runtime/base/memory.h"

#include <string.h>

static unsigned bucket_of(const char *name) {
    unsigned hash = 2166136261u; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash % SB_NAMES_BUCKETS;
}

void sb_names_free(sb_names *names) {
    sb_free(names->next);
    memset(names, 0, sizeof *names);
}

int sb_names_find(const sb_names *names, const char *name, sb_name_at *name_at,
                  const void *owner) {
    int link = names->first[bucket_of(name)];
    while (link && strcmp(name_at(owner, link - 1), name) != 0)
        link = names->next[link - 1];
    return link ? link - 1 : SB_NO_NAME;
}

bool sb_names_reserve(sb_names *names, int count) {
    return sb_grow_list(names->next, names->capacity, count);
}

void sb_names_add(sb_names *names, const char *name, int place) {
    unsigned bucket = bucket_of(name);
    names->next[place] = names->first[bucket];
    names->first[bucket] = place + 1;
}

void sb_names_remove(sb_names *names, const char *name, int place) {
    int *link = &names->first[bucket_of(name)];
    while (*link && *link != place + 1)
        link = &names->next[*link - 1];
    if (*link) *link = names->next[place];
}
