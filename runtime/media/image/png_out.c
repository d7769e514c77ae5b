/* Writes PNG files with libpng, which reports errors by a longjmp to the setjmp
 * in encode. Control thread and workers. */
#include "runtime/media/image/png_out.h"

#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"

#include <png.h>

#include <stdbool.h>

/* State of one file for libpng's callbacks. */
typedef struct png_job {
    sb_out_file *file;
    sb_error failure; /* the first one */
} png_job;

/* Our allocator instead of malloc, so that tests can make it fail. */
static png_voidp take_memory(png_structp png, png_alloc_size_t size) {
    (void)png;
    return sb_alloc(size, 1);
}

static void give_memory(png_structp png, png_voidp block) {
    (void)png;
    sb_free(block);
}

static void on_error(png_structp png, png_const_charp message) {
    png_job *job = png_get_error_ptr(png);
    if (job->failure.status == SB_OK) {
        /* The picture is valid, so libpng can only fail for lack of memory. */
        (void)sb_fail(&job->failure, SB_NO_MEMORY,
                      "%.300s cannot be written: %s",
                      sb_out_file_path(job->file), message);
    }
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep bytes, size_t count) {
    png_job *job = png_get_io_ptr(png);
    if (sb_out_file_write(job->file, bytes, count, &job->failure) != SB_OK) {
        png_error(png, "writing failed");
    }
}

static void on_flush(png_structp png) {
    (void)png;
}

/* libpng copies the texts. */
static void put_texts(png_structp png, png_infop info, const sb_png_out *out) {
    for (int i = 0; i < out->text_count; i++) {
        png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE,
                         .key = (png_charp)out->texts[i].keyword,
                         .text = (png_charp)out->texts[i].text};
        png_set_text(png, info, &text, 1);
    }
}

/* An error inside libpng jumps to the setjmp. */
static bool encode(png_structp png, png_infop info, const sb_png_out *out) {
    if (setjmp(png_jmpbuf(png))) return false;
    bool is_grey = out->kind == SB_PNG_GREY16;
    png_set_IHDR(png, info, (png_uint_32)out->width, (png_uint_32)out->height,
                 is_grey ? 16 : 8,
                 is_grey ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!is_grey) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    put_texts(png, info, out);
    png_write_info(png, info);
    size_t row_bytes = (size_t)out->width * (is_grey ? 2 : 3);
    for (int y = 0; y < out->height; y++)
        png_write_row(png, out->bytes + (size_t)y * row_bytes);
    /* NULL instead of the info, which would write the texts again. */
    png_write_end(png, NULL);
    return true;
}

static bool encode_file(png_job *job, const sb_png_out *out) {
    png_structp png =
        png_create_write_struct_2(PNG_LIBPNG_VER_STRING, job, on_error,
                                  on_warning, NULL, take_memory, give_memory);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = false;
    if (info) {
        png_set_write_fn(png, job, on_write, on_flush);
        ok = encode(png, info, out);
    }
    if (png) png_destroy_write_struct(&png, &info);
    return ok;
}

sb_status sb_png_write(const char *path, const sb_png_out *out, sb_error *err) {
    png_job job = {0};
    sb_status status = sb_out_file_create(&job.file, path, err);
    if (status != SB_OK) return status;
    if (encode_file(&job, out)) return sb_out_file_commit(job.file, err);
    status = job.failure.status;
    if (status == SB_OK) {
        status = sb_fail(err, SB_NO_MEMORY,
                         "%.300s cannot be written: out of memory", path);
    } else if (err) {
        *err = job.failure;
    }
    sb_out_file_abort(job.file);
    return status;
}
