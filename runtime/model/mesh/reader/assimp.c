/* SPDX-License-Identifier: MIT */
/* Reads OBJ, STL, glTF and GLB with assimp; the only file that includes it.
 * (Assimp's PLY reader loops forever or reads out of bounds on truncated
 * files.) Meshes are referenced by a tree of nodes, each with a transform,
 * and one mesh may be referenced many times. All instances are transformed
 * into one soup. Files are passed to assimp through sb_folder_read, so that
 * it can read the mesh's folder only. Runs in the reader process. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/reader/assimp_files.h"
#include "runtime/model/mesh/reader/input.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- files in memory for assimp ------------------------------------------- */

struct folder {
    const char *mesh_path;
    char refused[96]; /* the last file that could not be opened */
    sb_folder_answer answer;
    sb_error damage; /* why assimp got no file; status 0: none */
};

typedef struct memory_file {
    struct aiFile face; /* first member: assimp holds a pointer to it */
    char *bytes;
    size_t size, at;
} memory_file;

static memory_file *file_of(struct aiFile *face) {
    return (memory_file *)(void *)face->UserData;
}

static size_t read_items(struct aiFile *face, char *to, size_t size,
                         size_t count) {
    memory_file *file = file_of(face);
    if (size == 0) return 0;
    size_t whole = (file->size - file->at) / size;
    if (whole > count) whole = count;
    if (whole > 0) memcpy(to, file->bytes + file->at, whole * size);
    file->at += whole * size;
    return whole;
}

static size_t refuse_to_write(struct aiFile *face, const char *from,
                              size_t size, size_t count) {
    (void)face;
    (void)from;
    (void)size;
    (void)count;
    return 0;
}

static size_t tell(struct aiFile *face) {
    return file_of(face)->at;
}

static size_t tell_size(struct aiFile *face) {
    return file_of(face)->size;
}

static enum aiReturn seek(struct aiFile *face, size_t offset,
                          enum aiOrigin origin) {
    memory_file *file = file_of(face);
    size_t base = 0;
    if (origin == aiOrigin_CUR) base = file->at;
    if (origin == aiOrigin_END) base = file->size;
    size_t at = base + offset; /* seeking backwards wraps round as intended */
    if (at > file->size) return aiReturn_FAILURE;
    file->at = at;
    return aiReturn_SUCCESS;
}

static void flush(struct aiFile *face) {
    (void)face;
}

static const char *name_in_folder(const struct folder *folder,
                                  const char *path) {
    const char *slash = strrchr(folder->mesh_path, '/');
    size_t length = slash ? (size_t)(slash + 1 - folder->mesh_path) : 0;
    return strncmp(path, folder->mesh_path, length) ? path : path + length;
}

static bool ends_in(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && !strcasecmp(dot, ending);
}

/* A file is prepared for assimp, or found to be damaged. */
static bool prepare(struct folder *folder, const char *path,
                    memory_file *file) {
    if (ends_in(path, ".glb")) {
        return sb_glb_check_chunks(file->bytes, file->size, &folder->damage) ==
               SB_OK;
    }
    if (!ends_in(path, ".obj")) return true;
    if (sb_obj_rewrite_numbers(&file->bytes, &file->size)) return true;
    return sb_fail(&folder->damage, SB_NO_MEMORY,
                   "there is no memory for its numbers") == SB_OK;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path,
                                const char *mode) {
    struct folder *folder = (void *)io->UserData;
    if (!strchr(mode, 'r')) return NULL;
    memory_file *file = sb_alloc(1, sizeof *file);
    if (!file) return NULL;
    sb_folder_answer answer =
        sb_folder_read(folder->mesh_path, path, &file->bytes, &file->size);
    if (answer == SB_FOLDER_OK && !prepare(folder, path, file)) {
        sb_free(file->bytes);
        sb_free(file);
        return NULL;
    }
    if (answer != SB_FOLDER_OK) {
        sb_free(file);
        folder->answer = answer;
        (void)snprintf(folder->refused, sizeof folder->refused, "%s",
                       name_in_folder(folder, path));
        return NULL;
    }
    file->face = (struct aiFile){.ReadProc = read_items,
                                 .WriteProc = refuse_to_write,
                                 .TellProc = tell,
                                 .FileSizeProc = tell_size,
                                 .SeekProc = seek,
                                 .FlushProc = flush,
                                 .UserData = (char *)file};
    return &file->face;
}

static void close_file(struct aiFileIO *io, struct aiFile *face) {
    (void)io;
    memory_file *file = file_of(face);
    sb_free(file->bytes);
    sb_free(file);
}

/* --- the tree ------------------------------------------------------------- */

static sb_status add_vertices(sb_soup *soup, const struct aiMesh *mesh,
                              const struct aiMatrix4x4 *to_world,
                              sb_error *err) {
    /* Otherwise one infinite coordinate would make the others NaN. */
    bool stays = aiMatrix4IsIdentity(to_world);
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        const struct aiMatrix4x4 *m = to_world;
        double x = v->x, y = v->y, z = v->z;
        sb_vec3 p = {x, y, z};
        if (!stays) {
            p = (sb_vec3){m->a1 * x + m->a2 * y + m->a3 * z + m->a4,
                          m->b1 * x + m->b2 * y + m->b3 * z + m->b4,
                          m->c1 * x + m->c2 * y + m->c3 * z + m->c4};
        }
        sb_status status = sb_soup_add_vertex(soup, p, err);
        if (status) return status;
    }
    return SB_OK;
}

/* Points and lines are skipped. A mirroring transform reverses the faces. */
static sb_status add_mesh(sb_soup *soup, const struct aiMesh *mesh,
                          const struct aiMatrix4x4 *to_world, sb_error *err) {
    int first = soup->mesh.vertex_count;
    bool is_mirrored = aiMatrix4Determinant(to_world) < 0;
    const struct aiVector3D *uvs =
        mesh->mNumUVComponents[0] >= 2 ? mesh->mTextureCoords[0] : NULL;
    sb_status status = add_vertices(soup, mesh, to_world, err);
    for (unsigned f = 0; !status && f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        if (face->mNumIndices != 3) continue;
        int corners[3];
        float uv[3][2] = {{0}};
        for (int c = 0; c < 3; c++) {
            unsigned index = face->mIndices[is_mirrored ? 2 - c : c];
            if (index >= mesh->mNumVertices) {
                return sb_fail(err, SB_BAD_FORMAT,
                               "a face refers to vertex %u of %u (counted "
                               "from 0)",
                               index, mesh->mNumVertices);
            }
            corners[c] = first + (int)index;
            if (uvs) uv[c][0] = uvs[index].x;
            if (uvs) uv[c][1] = uvs[index].y;
        }
        status = sb_soup_add_face(soup, corners,
                                  uvs ? (const float(*)[2])uv : NULL, err);
    }
    return status;
}

typedef struct step {
    const struct aiNode *node;
    unsigned next_child;
    struct aiMatrix4x4 to_world;
} step;

static sb_status add_meshes_of(sb_soup *soup, const struct aiScene *scene,
                               const step *at, sb_error *err) {
    sb_status status = SB_OK;
    for (unsigned i = 0; !status && i < at->node->mNumMeshes; i++) {
        unsigned index = at->node->mMeshes[i];
        if (index >= scene->mNumMeshes) continue;
        status = add_mesh(soup, scene->mMeshes[index], &at->to_world, err);
    }
    return status;
}

/* An explicit stack: the tree may be too deep for recursion. */
static sb_status add_tree(sb_soup *soup, const struct aiScene *scene,
                          sb_error *err) {
    void *steps = NULL;
    int room = 0, depth = 0;
    sb_status status = SB_OK;
    const struct aiNode *enter = scene->mRootNode;
    while (!status && (enter || depth > 0)) {
        if (enter && !sb_grow(&steps, &room, depth + 1, sizeof(step))) {
            status = sb_fail(err, SB_NO_MEMORY, "its tree is too deep");
            break;
        }
        step *stack = steps;
        if (enter) {
            step *at = &stack[depth];
            *at = (step){enter, 0, enter->mTransformation};
            if (depth > 0) {
                at->to_world = stack[depth - 1].to_world;
                aiMultiplyMatrix4(&at->to_world, &enter->mTransformation);
            }
            depth++;
            status = add_meshes_of(soup, scene, at, err);
        }
        step *top = &stack[depth - 1];
        enter = top->next_child < top->node->mNumChildren
                    ? top->node->mChildren[top->next_child++]
                    : NULL;
        if (!enter) depth--;
    }
    sb_free(steps);
    return status;
}

/* --- the whole ------------------------------------------------------------ */

/* Plain messages for assimp's most frequent errors. */
static const char *in_our_words(const char *words) {
    static const char *const said[][2] = {
        {"No suitable reader", "it is damaged, or its extension is wrong"},
        {"STL storage representation",
         "it is neither a text STL nor a binary one of the stated length"},
        {"bad_alloc", "reading it would take more than 2 GB of memory"},
        {"too small", "it is too short to be a mesh"}};
    static char text[240];
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (strstr(words, said[i][0])) return said[i][1];
    }
    (void)snprintf(text, sizeof text, "it cannot be read: %.200s", words);
    return text;
}

static sb_status fail_to_import(const struct folder *folder, sb_error *err) {
    /* An OBJ refers to material files only, and these never cause the
     * failure. */
    bool is_reason = *folder->refused && !ends_in(folder->mesh_path, ".obj");
    if (folder->damage.status) {
        return sb_fail(err, folder->damage.status, "%s",
                       folder->damage.message);
    }
    if (is_reason && folder->answer == SB_FOLDER_OUTSIDE) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "it refers to %s, which is outside its folder",
                       folder->refused);
    }
    if (is_reason && folder->answer == SB_FOLDER_MISSING) {
        return sb_fail(err, SB_NOT_FOUND,
                       "it refers to %s, which cannot be read",
                       folder->refused);
    }
    return sb_fail(err, SB_BAD_FORMAT, "%s", in_our_words(aiGetErrorString()));
}

sb_status sb_read_assimp(const char *path, sb_soup *soup, sb_error *err) {
    struct folder folder = {.mesh_path = path};
    struct aiFileIO io = {open_file, close_file, (char *)&folder};
    const struct aiScene *scene =
        aiImportFileEx(path, aiProcess_Triangulate, &io);
    if (!scene) return fail_to_import(&folder, err);
    sb_status status = SB_OK;
    if (scene->mRootNode) status = add_tree(soup, scene, err);
    if (!status && soup->mesh.face_count == 0) {
        status = sb_fail(err, SB_BAD_FORMAT, "it has no faces");
    }
    aiReleaseImport(scene);
    return status;
}
