/* SPDX-License-Identifier: MIT */
/* runtime/store/model_cache.h -- a cache of solved models on disk.
 *
 * A folder of .modal files. Each is named by the SHA-256 of its problem: the
 * mesh, the method, Poisson's ratio, the thickness, the clamped places, and the
 * version of the solver. Stiffness, density and damping are not part of it,
 * since a solution serves all of them. The required frequency range is checked
 * at lookup.
 *
 * The folder is $SANDBELL_CACHE, or sandbell in $XDG_CACHE_HOME or ~/.cache;
 * SANDBELL_CACHE=off disables the cache. Several programs may share it: files
 * appear complete, and a damaged file counts as missing and is replaced. When
 * the files exceed the limit, the least recently used are removed. A folder
 * that cannot be read or written is not an error: every model is then solved
 * anew.
 *
 * Thread: control, workers; any number at once.
 * Memory: a found file is the caller's (sb_model_file_free).
 */
#pragma once

#include "runtime/base/digest.h"
#include "runtime/model/method.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_mesh sb_mesh;
typedef struct sb_model_file sb_model_file;

typedef struct sb_model_cache {
    char folder[1024]; /* "": no cache */
    uint64_t max_bytes;
} sb_model_cache;

typedef struct sb_problem {
    const sb_mesh *mesh;
    sb_method method;
    double poisson_ratio;
    double thickness_m;
    const void *held; /* encoding of the clamped places; may be NULL */
    size_t held_bytes;
    int solver_version; /* increased with every change of the results */
} sb_problem;

/* Another folder than that of the environment, for the whole process; NULL or "":
 * that of the environment, "off": none. BAD_ARGUMENT: too long. */
SB_NODISCARD sb_status sb_model_cache_set_folder(const char *folder,
                                                 sb_error *err);

/* The folder from the environment, with a limit of 1 GiB. */
sb_model_cache sb_model_cache_default(void);

void sb_problem_key(const sb_problem *problem, char key[SB_DIGEST_TEXT_SIZE]);

/* Find a solution that is complete up to `lambda_needed`; false if there is
 * none. */
bool sb_model_cache_find(const sb_model_cache *cache, const char *key,
                         double lambda_needed, sb_model_file *out);

/* Store a file under its `key`, unless one as complete exists. False when it
 * cannot be written; callers may ignore this. */
bool sb_model_cache_store(const sb_model_cache *cache,
                          const sb_model_file *file);

/* Results of long work (memo.h) in the same folder, as KEY.heard: what boundary
 * elements find. `bytes` is freed by sb_free. */
bool sb_model_cache_find_heard(const sb_model_cache *cache, const char *key,
                               char **bytes, size_t *count);
bool sb_model_cache_store_heard(const sb_model_cache *cache, const char *key,
                                const char *bytes, size_t count);

/* How many models it holds, and the size of all. */
void sb_model_cache_measure(const sb_model_cache *cache, int *count,
                            uint64_t *bytes);
