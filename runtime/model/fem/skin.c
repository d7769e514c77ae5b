/* Finds the outer faces of tetrahedra. Runs on the control thread or a
 * worker. */
#include "runtime/model/fem/skin.h"

#include "runtime/base/memory.h"
#include "runtime/model/fill/fill.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    int key[3]; /* corners, ascending */
    int tet, which;
} side;

/* Nodes of the sides, facing outward: corners, then the middles of the edges
 * from first to second, second to third, third to first. */
static const int sides[4][6] = {{0, 2, 1, 6, 5, 4},
                                {0, 1, 3, 4, 8, 7},
                                {1, 2, 3, 5, 9, 8},
                                {0, 3, 2, 7, 9, 6}};

static int compare(const void *left, const void *right) {
    const side *l = left, *r = right;
    for (int i = 0; i < 3; i++) {
        if (l->key[i] != r->key[i]) return l->key[i] < r->key[i] ? -1 : 1;
    }
    if (l->tet != r->tet) return l->tet < r->tet ? -1 : 1;
    return l->which - r->which;
}

static void order(int *a, int *b) {
    if (*a <= *b) return;
    int kept = *a;
    *a = *b;
    *b = kept;
}

static void list_sides(const sb_solid_mesh *solid, side *list) {
    for (int i = 0; i < 4 * solid->tet_count; i++) {
        side s = {.tet = i / 4, .which = i % 4};
        for (int j = 0; j < 3; j++) {
            s.key[j] = solid->tets[s.tet][sides[s.which][j]];
        }
        order(&s.key[0], &s.key[1]);
        order(&s.key[1], &s.key[2]);
        order(&s.key[0], &s.key[1]);
        list[i] = s;
    }
}

/* Keeps the sides that occur once; returns their number. */
static int keep_single(side *list, int count) {
    int kept = 0;
    for (int i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count &&
               memcmp(list[i].key, list[next].key, sizeof list[i].key) == 0) {
            next++;
        }
        if (next == i + 1) list[kept++] = list[i];
    }
    return kept;
}

static void write_faces(const sb_solid_mesh *solid, const side *list, int count,
                        bool is_quadratic, int (*faces)[3]) {
    static const int parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    int each = is_quadratic ? 4 : 1;
    for (int i = 0; i < count; i++) {
        const int *tet = solid->tets[list[i].tet];
        const int *at = sides[list[i].which];
        for (int j = 0; j < each * 3; j++) {
            int corner = is_quadratic ? parts[j / 3][j % 3] : j;
            faces[each * i + j / 3][j % 3] = tet[at[corner]];
        }
    }
}

sb_status sb_skin_find(const sb_solid_mesh *solid, bool is_quadratic,
                       int (**faces)[3], int *face_count, sb_error *err) {
    size_t count = 4 * (size_t)solid->tet_count;
    side *list = NULL;
    int(*made)[3] = NULL;
    int kept = 0;
    if (solid->tet_count <= INT_MAX / 16) list = sb_alloc(count, sizeof *list);
    if (list) {
        list_sides(solid, list);
        qsort(list, count, sizeof *list, compare);
        kept = keep_single(list, (int)count);
        made = sb_alloc(4 * (size_t)kept, sizeof *made);
    }
    if (!made) {
        sb_free(list);
        return sb_fail(err, SB_NO_MEMORY,
                       "mesh: out of memory for the skin of %d tetrahedra",
                       solid->tet_count);
    }
    write_faces(solid, list, kept, is_quadratic, made);
    sb_free(list);
    *faces = made;
    *face_count = is_quadratic ? 4 * kept : kept;
    return SB_OK;
}
