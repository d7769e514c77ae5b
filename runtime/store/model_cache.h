/* runtime/store/model_cache.h -- what has been solved once is not solved again.
 *
 * A folder of .modal files, each named by the SHA-256 of its problem: the
 * mesh, the method, Poisson's ratio, the thickness, what is held, and the
 * version of the solver. Stiffness, density and damping are not in it, since a
 * solution serves all of them; how far up it reaches is asked when it is
 * looked for.
 *
 * The folder is $SANDBELL_CACHE, or sandbell in $XDG_CACHE_HOME or ~/.cache;
 * SANDBELL_CACHE=off is none. Programs may share it: files appear whole, and
 * one that is damaged counts as missing and is replaced. When the files are
 * more than the limit, those not used for longest go. A folder that cannot be
 * written or read is no misfortune: everything is solved anew.
 *
 * Thread: control, workers; any number at once.
 * Memory: a found file is the caller's (sb_model_file_free).
 */
#ifndef SB_STORE_MODEL_CACHE_H
#define SB_STORE_MODEL_CACHE_H

#include "runtime/store/model_file.h"

typedef struct sb_model_cache {
    char folder[1024]; /* "": no cache */
    uint64_t max_bytes;
} sb_model_cache;

typedef struct sb_problem {
    const sb_mesh *mesh;
    sb_method method;
    double poisson_ratio;
    double thickness_m;
    const void *held; /* which places are held, in any coding; may be NULL */
    size_t held_bytes;
    double options[4];  /* of the method: cell size and the like */
    int solver_version; /* a new one for every change of the numbers */
} sb_problem;

/* From the environment, with a limit of 1 GiB. */
sb_model_cache sb_model_cache_default(void);

void sb_problem_key(const sb_problem *problem, char key[SB_DIGEST_TEXT_SIZE]);

/* A solution complete up to `lambda_needed`, if there is one. */
bool sb_model_cache_find(const sb_model_cache *cache, const char *key,
                         double lambda_needed, sb_model_file *out);

/* Keep it under its `key`, unless one as good is there. False when it could
 * not be written; that needs no word to anyone. */
bool sb_model_cache_store(const sb_model_cache *cache,
                          const sb_model_file *file);

#endif
