/* SPDX-License-Identifier: MIT */
/* tests/fuzz/random_mesh.c -- mesh files changed at random, read by assimp:
 *
 *     random_mesh CORPUS ENDING COUNT [SEED]     random_mesh corpus .obj 1000
 *
 * A process for each file, as users have it, reads ten files per second. Here
 * a worker reads them one after the other, with the limits of the mesh reader.
 * Assimp is not hardened and may crash: a file at which a worker dies is read
 * again as users read it, and then there must be a sentence. Such files are
 * kept as ./crashed_1.obj and so on, at most eight. */
#include "runtime/base/random.h"
#include "runtime/model/mesh/reader/input.h"
#include "tests/fuzz/readers.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_SEEDS = 16,
    LARGEST = 1 << 16,
    MOST_CHANGES = 6,
    MOST_KEPT = 8,
    PER_WORKER = 20000, /* assimp leaks where it throws */
    INPUT_CPU_S = 8
};

typedef struct file {
    uint8_t bytes[LARGEST];
    size_t count;
} file;

static file seeds[MOST_SEEDS];
static int seed_count;

static void read_seeds(const char *folder, const char *ending) {
    DIR *entries = opendir(folder);
    char path[PATH_MAX];
    if (!entries) return;
    for (const struct dirent *e = readdir(entries); e; e = readdir(entries)) {
        const char *dot = strrchr(e->d_name, '.');
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        bool is_seed =
            dot && strcmp(dot, ending) == 0 && seed_count < MOST_SEEDS;
        FILE *in = is_seed ? fopen(path, "rb") : NULL;
        if (!in) continue;
        file *seed = &seeds[seed_count++];
        seed->count = fread(seed->bytes, 1, LARGEST / 2, in);
        (void)fclose(in);
    }
    (void)closedir(entries);
}

/* --- changes -------------------------------------------------------------- */

static size_t below(sb_random *random, size_t count) {
    return count > 0 ? sb_random_u32(random) % count : 0;
}

/* Some bytes instead of others, of the same or another number. */
static void replace(file *f, size_t at, size_t old, const void *bytes,
                    size_t count) {
    if (at + old > f->count || f->count - old + count > LARGEST) return;
    memmove(f->bytes + at + count, f->bytes + at + old, f->count - at - old);
    memcpy(f->bytes + at, bytes, count);
    f->count = f->count - old + count;
}

static void put_word(sb_random *random, file *f, size_t at) {
    static const char *const words[] = {
        "0",   "-1",   "1e308",    "nan",       "-2147483648", "99999999999",
        "1/1", "//",   "1//-1",    "f 1 2 3\n", "v 0 0 0\n",   "facet",
        "[]",  "{}",   "null",     "\"\"",      "1.5e-310",    "\\\n",
        "#",   "\r\n", "endsolid", "\t"};
    const char *word = words[below(random, sizeof words / sizeof *words)];
    replace(f, at, below(random, 4), word, strlen(word));
}

static void put_integer(sb_random *random, file *f, size_t at) {
    static const uint32_t odd[] = {0,          1,          0x7fffffff,
                                   0x80000000, 0xffffffff, 0xffff,
                                   0x7f800000, 0x7fc00000, 100000000};
    uint32_t value = odd[below(random, sizeof odd / sizeof *odd)];
    at &= ~(size_t)3;
    if (at + 4 <= f->count) memcpy(f->bytes + at, &value, 4);
}

static void change(sb_random *random, file *f) {
    size_t at = below(random, f->count + 1);
    size_t size = 1 + below(random, 1u << below(random, 8));
    const file *other = &seeds[below(random, (size_t)seed_count)];
    size_t from = below(random, other->count);
    uint8_t noise[256];
    switch (below(random, 7)) {
    case 0:
        if (at < f->count) f->bytes[at] ^= (uint8_t)(1u << below(random, 8));
        break;
    case 1:
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (uint8_t)sb_random_u32(random);
        replace(f, at, below(random, 2) * size, noise, size);
        break;
    case 2:
        replace(f, at, size, "", 0);
        break;
    case 3: /* a piece of a good file */
        if (from + size <= other->count)
            replace(f, at, below(random, 2) * size, other->bytes + from, size);
        break;
    case 4:
        if (below(random, 8) == 0) f->count = at;
        break;
    case 5:
        put_integer(random, f, at);
        break;
    default:
        put_word(random, f, at);
    }
}

static void make_input(uint64_t seed, long number, file *f) {
    sb_random random = sb_random_make(seed, (uint64_t)number);
    *f = seeds[below(&random, (size_t)seed_count)];
    size_t most = 1 + below(&random, MOST_CHANGES); /* mostly few */
    for (size_t i = 1 + below(&random, most); i > 0; i--)
        change(&random, f);
}

/* --- the worker ----------------------------------------------------------- */

typedef struct progress {
    long at; /* the input that is being read */
    long meshes;
} progress;

static _Noreturn void work(const char *ending, uint64_t seed, long count,
                           progress *shared) {
    static file f;
    (void)freopen("/dev/null", "w", stderr);
#if !defined(__SANITIZE_ADDRESS__)
    rlim_t most = (rlim_t)2 << 30;
    (void)setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
#endif
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (long i = 0; i < PER_WORKER && shared->at < count; i++, shared->at++) {
        struct itimerval late = {.it_value = {.tv_sec = INPUT_CPU_S}};
        make_input(seed, shared->at, &f);
        (void)setitimer(ITIMER_PROF, &late, NULL);
        shared->meshes +=
            fuzz_read_mesh(ending, sb_read_assimp, f.bytes, f.count);
    }
    exit(EXIT_SUCCESS);
}

static void keep(const char *ending, const file *f, int number) {
    char name[32];
    (void)snprintf(name, sizeof name, "crashed_%d%s", number, ending);
    FILE *out = fopen(name, "wb");
    if (!out) return;
    (void)fwrite(f->bytes, 1, f->count, out);
    (void)fclose(out);
}

static const fuzz_reader *reader_of(const char *ending) {
    const fuzz_reader *row = fuzz_readers;
    while (row->name && strcmp(row->name, ending + 1) != 0)
        row++;
    return row->name ? row : NULL;
}

int main(int argc, char **argv) {
    static file f;
    const char *ending = argc > 2 ? argv[2] : ".";
    long count = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    const fuzz_reader *as_users_do = reader_of(ending);
    if (argc > 2) read_seeds(argv[1], ending);
    progress *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seed_count == 0 || !as_users_do || shared == MAP_FAILED) {
        (void)fprintf(stderr, "random_mesh CORPUS .obj|.stl|.glb COUNT [SEED]"
                              "\n");
        return EXIT_FAILURE;
    }
    int crashes = 0;
    while (shared->at < count) {
        pid_t worker = fork();
        int status = 0;
        if (worker == 0) work(ending, seed, count, shared);
        if (worker < 0 || waitpid(worker, &status, 0) < 0) return EXIT_FAILURE;
        if (WIFEXITED(status)) {
            if (WEXITSTATUS(status) == 0) continue;
            (void)fprintf(stderr, "a worker failed at file %ld\n", shared->at);
            return EXIT_FAILURE;
        }
        make_input(seed, shared->at++, &f);
        if (++crashes <= MOST_KEPT) keep(ending, &f, crashes);
        fuzz_read(as_users_do, f.bytes, f.count);
    }
    (void)printf("%ld files from seed %llu: %ld meshes, %d crashes of assimp "
                 "that became sentences\n",
                 count, (unsigned long long)seed, shared->meshes, crashes);
    return EXIT_SUCCESS;
}
