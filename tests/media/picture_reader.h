/* SPDX-License-Identifier: MIT */
/* tests/media/picture_reader.h -- reads a PNG file back with libpng itself.
 */
#pragma once

#include <check.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct read_picture {
    int width, height;
    unsigned char *pixels; /* three bytes to a pixel; free() them */
} read_picture;

static inline read_picture picture_read(const char *path) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    ck_assert_msg(png_image_begin_read_from_file(&image, path), "%s: %s", path,
                  image.message);
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    ck_assert_ptr_nonnull(pixels);
    ck_assert(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    return (read_picture){(int)image.width, (int)image.height, pixels};
}

/* How bright a pixel looks: all of our scale of colours rises in it. */
static inline double picture_brightness(const read_picture *picture, int x,
                                        int y) {
    ck_assert(x >= 0 && x < picture->width && y >= 0 && y < picture->height);
    const unsigned char *pixel =
        picture->pixels + ((ptrdiff_t)y * picture->width + x) * 3;
    return 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2];
}
