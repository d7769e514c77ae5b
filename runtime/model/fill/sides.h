/* runtime/model/fill/sides.h -- the sides of triangles, sorted so that faces that
 * share one are neighbours.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_MODEL_FILL_SIDES_H
#define SB_MODEL_FILL_SIDES_H

typedef struct sb_side {
    int low, high; /* vertices */
    int place;     /* 3 face + first corner of the side */
} sb_side;

/* For qsort. */
static inline int sb_side_compare(const void *left, const void *right) {
    const sb_side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

#endif
