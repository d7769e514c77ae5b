/* runtime/model/linear/panel_kernel.h -- the inner loops of panel.h, compiled
 * for several instruction sets; panel.c chooses one at run time.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_MODEL_LINEAR_PANEL_KERNEL_H
#define SB_MODEL_LINEAR_PANEL_KERNEL_H

#include "runtime/model/linear/panel.h"

typedef struct sb_panel_kernel {
    void (*forward)(const sb_supernodes *factor, double *x);
    void (*backward)(const sb_supernodes *factor, double *x);
    void (*multiply)(const sb_sparse *a, const double *x, double *y);
    /* c = c + V' W and W = W + V c, one panel each. */
    void (*project)(int rows, const double *v, const double *w, double *c);
    void (*combine)(int rows, const double *v, const double *c, double *w);
} sb_panel_kernel;

extern const sb_panel_kernel sb_panel_kernel_portable;
extern const sb_panel_kernel sb_panel_kernel_avx2;
extern const sb_panel_kernel sb_panel_kernel_avx512;

#endif
