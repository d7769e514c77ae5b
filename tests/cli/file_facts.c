/* SPDX-License-Identifier: MIT */
/* What is in a file that sandbell has written, for shell tests.
 *
 *     file_facts wav FILE           rate channels frames peak_db tail_db
 *     file_facts level FILE FROM TO root mean square between two times in seconds,
 *                                   of all channels, dBFS
 *     file_facts png FILE           width height colours
 *     file_facts note FILE KIND OUT copies a PNG; its texts become chunks of
 *                                   KIND: tEXt, zTXt, iTXt, or none
 *     file_facts json FILE KEY ...  the value at that path: a name, a place in
 *                                   an array from 0, or # for its length
 *
 * Fails, with a sentence, on a file that is not whole.
 */
#include "runtime/media/sound_file.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *path, const char *why) {
    (void)fprintf(stderr, "%s: %s\n", path, why);
    return 1;
}

static double decibels(double amplitude) {
    return amplitude > 1e-10 ? 20.0 * log10(amplitude) : -200.0;
}

static double peak_from(const sb_sound *sound, int64_t frame) {
    double peak = 0.0;
    int64_t end = sound->frame_count * sound->channel_count;
    for (int64_t i = frame * sound->channel_count; i < end; i++)
        peak = fmax(peak, fabs((double)sound->samples[i]));
    return peak;
}

static int show_wav(const char *path) {
    sb_sound sound;
    sb_error err;
    if (sb_sound_read(&sound, path, &err)) return complain(path, err.message);
    int64_t tail = sound.frame_count - sound.rate_hz / 20; /* 50 ms */
    (void)printf("%d %d %lld %.3f %.3f\n", sound.rate_hz, sound.channel_count,
                 (long long)sound.frame_count, decibels(peak_from(&sound, 0)),
                 decibels(peak_from(&sound, tail > 0 ? tail : 0)));
    sb_sound_free(&sound);
    return 0;
}

static int show_level(const char *path, double from_s, double to_s) {
    sb_sound sound;
    sb_error err;
    if (sb_sound_read(&sound, path, &err)) return complain(path, err.message);
    int64_t first = (int64_t)(from_s * sound.rate_hz) * sound.channel_count;
    int64_t end = (int64_t)(to_s * sound.rate_hz) * sound.channel_count;
    double sum = 0.0;
    bool is_there =
        first < end && end <= sound.frame_count * sound.channel_count;
    for (int64_t i = first; is_there && i < end; i++)
        sum += (double)sound.samples[i] * (double)sound.samples[i];
    sb_sound_free(&sound);
    if (!is_there) return complain(path, "has no such times");
    (void)printf("%.3f\n", decibels(sqrt(sum / (double)(end - first))));
    return 0;
}

/* Enough to distinguish a picture from an empty sheet. */
static int count_colours(const unsigned char *rgb, size_t pixels) {
    unsigned char seen[4096] = {0};
    int count = 0;
    for (size_t i = 0; i < pixels; i++) {
        unsigned key =
            (unsigned)((rgb[3 * i] >> 4) << 8 | (rgb[3 * i + 1] >> 4) << 4 |
                       (rgb[3 * i + 2] >> 4));
        if (!seen[key]) count++;
        seen[key] = 1;
    }
    return count;
}

static int show_png(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) {
        return complain(path, image.message);
    }
    image.format = PNG_FORMAT_RGB;
    unsigned char *rgb = malloc(PNG_IMAGE_SIZE(image));
    if (!rgb || !png_image_finish_read(&image, NULL, rgb, 0, NULL)) {
        free(rgb);
        return complain(path, image.message);
    }
    (void)printf("%u %u %d\n", image.width, image.height,
                 count_colours(rgb, (size_t)image.width * image.height));
    free(rgb);
    return 0;
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    enum { MOST = 1 << 24 };
    char *text = malloc(MOST);
    size_t count = text ? fread(text, 1, MOST - 1, file) : 0;
    if (text) text[count] = '\0';
    (void)fclose(file);
    return text;
}

static const cJSON *walk(const cJSON *at, int count, char **keys) {
    for (int i = 0; at && i < count; i++) {
        if (cJSON_IsArray(at) && isdigit((unsigned char)keys[i][0])) {
            at = cJSON_GetArrayItem(at, atoi(keys[i]));
        } else {
            at = cJSON_GetObjectItemCaseSensitive(at, keys[i]);
        }
    }
    return at;
}

static int show_value(const cJSON *value) {
    if (!value) {
        (void)printf("missing\n");
    } else if (cJSON_IsString(value)) {
        (void)printf("%s\n", value->valuestring);
    } else {
        char *text = cJSON_PrintUnformatted(value);
        (void)printf("%s\n", text ? text : "?");
        cJSON_free(text);
    }
    return value ? 0 : 1;
}

static int show_json(const char *path, int count, char **keys) {
    char *text = read_text(path);
    cJSON *json = text ? cJSON_ParseWithOpts(text, NULL, 1) : NULL;
    int code = 1;
    if (!json) {
        code = complain(path, "is not one JSON document");
    } else if (count > 0 && strcmp(keys[count - 1], "#") == 0) {
        (void)printf("%d\n", cJSON_GetArraySize(walk(json, count - 1, keys)));
        code = 0;
    } else {
        code = show_value(walk(json, count, keys));
    }
    cJSON_Delete(json);
    free(text);
    return code;
}

static int kind_of_note(const char *name) {
    if (strcmp(name, "zTXt") == 0) return PNG_TEXT_COMPRESSION_zTXt;
    if (strcmp(name, "iTXt") == 0) return PNG_ITXT_COMPRESSION_NONE;
    return PNG_TEXT_COMPRESSION_NONE;
}

/* As a paint program does that keeps texts, but in chunks of its own choice. */
static int copy_png(const char *from, const char *kind, const char *to) {
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out) return complain(in ? to : from, "cannot be opened");
    png_structp reader =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_structp writer =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(reader);
    png_init_io(reader, in);
    png_init_io(writer, out);
    png_read_png(reader, info, PNG_TRANSFORM_IDENTITY, NULL);
    png_textp texts = NULL;
    int count = png_get_text(reader, info, &texts, NULL);
    for (int i = 0; i < count; i++)
        texts[i].compression = kind_of_note(kind);
    if (strcmp(kind, "none") == 0)
        png_free_data(reader, info, PNG_FREE_TEXT, -1);
    png_write_png(writer, info, PNG_TRANSFORM_IDENTITY, NULL);
    png_destroy_write_struct(&writer, NULL);
    png_destroy_read_struct(&reader, &info, NULL);
    (void)fclose(in);
    return fclose(out) == 0 ? 0 : complain(to, "cannot be written");
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "wav") == 0) return show_wav(argv[2]);
    if (argc == 5 && strcmp(argv[1], "level") == 0)
        return show_level(argv[2], strtod(argv[3], NULL),
                          strtod(argv[4], NULL));
    if (argc == 3 && strcmp(argv[1], "png") == 0) return show_png(argv[2]);
    if (argc == 5 && strcmp(argv[1], "note") == 0)
        return copy_png(argv[2], argv[3], argv[4]);
    if (argc >= 3 && strcmp(argv[1], "json") == 0) {
        return show_json(argv[2], argc - 3, argv + 3);
    }
    (void)fprintf(stderr,
                  "usage: file_facts wav|level|png|note|json FILE [KEY ...]\n");
    return 2;
}
