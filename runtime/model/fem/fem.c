#include "runtime/model/fem/fem.h"

#include "runtime/base/memory.h"

void sb_fem_free(sb_fem *fem) {
    if (!fem) return;
    sb_free(fem->nodes);
    sb_free(fem->dofs);
    sb_free(fem->faces);
    sb_sparse_free(&fem->k);
    sb_sparse_free(&fem->m);
    *fem = (sb_fem){0};
}
