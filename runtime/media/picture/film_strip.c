/* SPDX-License-Identifier: MIT */
#include "runtime/media/picture/film_strip.h"

#include "runtime/base/memory.h"
#include "runtime/media/picture/film_internal.h"

#include <math.h>
#include <stdio.h>

enum {
    PAGE_WIDTH = 1600,
    PAGE_HEIGHT = 1000, /* for this width, if the frames can be so low */
    PAGE_LEAST = 400,
    PAGE_MOST = 4096,
    FRAME_MOST = 720,  /* side of a frame, at most */
    FRAME_LEAST = 120, /* width that its time needs */
    FRAME_LOW = 72,    /* least height */
    MARGIN = 28,
    GAP = 12,
    HEAD = 52,
    CAPTION = 34, /* below each row */
    INSET = 14,   /* around the bodies */
    CELLS = 8     /* of the grid, across a frame */
};

/* Coordinates beyond this are a mistake; squares of them stay finite. */
#define FARTHEST_M 1e9

/* --- the definition ------------------------------------------------------- */

static sb_status check_body(const sb_film_body *body, sb_error *err) {
    const char *name = body->name ? body->name : "";
    if (body->vertex_count < 1 || body->face_count < 1)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "film strip: '%.100s' has %d vertices and %d faces; "
                       "both must be 1 or more",
                       name, body->vertex_count, body->face_count);
    for (int i = 0; i < body->face_count; i++) {
        for (int c = 0; c < 3; c++) {
            int vertex = body->faces[i][c];
            if (vertex < 0 || vertex >= body->vertex_count)
                return sb_fail(err, SB_BAD_ARGUMENT,
                               "film strip: face %d of '%.100s' has vertex %d "
                               "of %d",
                               i, name, vertex, body->vertex_count);
        }
    }
    return SB_OK;
}

static bool is_place(sb_vec3 p) {
    return fabs(p.x) <= FARTHEST_M && fabs(p.y) <= FARTHEST_M &&
           fabs(p.z) <= FARTHEST_M;
}

static sb_status check_frame(const sb_film_def *def, int index, sb_error *err) {
    const sb_film_frame *frame = &def->frames[index];
    if (!isfinite(frame->time_s))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "film strip: the time of frame %d is not finite",
                       index + 1);
    for (int b = 0; b < def->body_count; b++) {
        const sb_film_body *body = &def->bodies[b];
        const sb_vec3 *positions = frame->positions[b];
        for (int v = 0; positions && v < body->vertex_count; v++) {
            if (is_place(positions[v])) continue;
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "film strip: frame %d (%g s): vertex %d of '%.100s' "
                           "is at %g, %g, %g: not within 1e9 m",
                           index + 1, frame->time_s, v,
                           body->name ? body->name : "", positions[v].x,
                           positions[v].y, positions[v].z);
        }
    }
    return SB_OK;
}

static sb_status check(const sb_film_def *def, sb_error *err) {
    if (def->frame_count < 1 || def->frame_count > SB_FILM_FRAMES_MOST)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "film strip: 1 to %d frames, got %d",
                       SB_FILM_FRAMES_MOST, def->frame_count);
    if (def->body_count < 1 || def->body_count > SB_FILM_BODIES_MOST)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "film strip: 1 to %d bodies, got %d",
                       SB_FILM_BODIES_MOST, def->body_count);
    if (def->page_width != 0 &&
        (def->page_width < PAGE_LEAST || def->page_width > PAGE_MOST))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "film strip: a page is %d to %d pixels wide, got %d",
                       PAGE_LEAST, PAGE_MOST, def->page_width);
    if (def->floor &&
        (!is_place(def->floor->point_m) || !is_place(def->floor->normal) ||
         !(sb_vec3_length(def->floor->normal) > 0)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "film strip: the floor needs a point within 1e9 m and "
                       "a normal that is not 0");
    if (def->has_view && !(isfinite(def->azimuth) && isfinite(def->elevation)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "film strip: azimuth and elevation must be finite");
    sb_status status = SB_OK;
    for (int b = 0; b < def->body_count && !status; b++)
        status = check_body(&def->bodies[b], err);
    for (int i = 0; i < def->frame_count && !status; i++)
        status = check_frame(def, i, err);
    return status;
}

/* --- the layout ----------------------------------------------------------- */

static sb_view_extent extent_of(const sb_film_def *def,
                                const sb_camera *camera) {
    sb_view_extent all = sb_view_extent_none();
    for (int i = 0; i < def->frame_count; i++) {
        for (int b = 0; b < def->body_count; b++) {
            const sb_vec3 *at = def->frames[i].positions[b];
            for (int v = 0; at && v < def->bodies[b].vertex_count; v++)
                sb_view_extent_add(&all, camera, at[v]);
        }
    }
    if (!(all.left <= all.right)) all = (sb_view_extent){-1, 1, -1, 1};
    return all;
}

/* From the side and a little above, if the bodies are high; more from above if
 * they are shallow. */
static sb_camera camera_of(const sb_film_def *def) {
    if (def->has_view) return sb_camera_from(def->azimuth, def->elevation);
    sb_camera front = sb_camera_from(0, 0);
    sb_camera above = sb_camera_from(0, 2 * atan(1));
    sb_view_extent a = extent_of(def, &front), b = extent_of(def, &above);
    double breadth = fmax(a.right - a.left, b.bottom - b.top);
    bool is_shallow = a.bottom - a.top < 0.4 * breadth;
    return sb_camera_from(0.5, is_shallow ? 0.52 : 0.3);
}

static int least_of(int a, int b) {
    return a < b ? a : b;
}

/* The number of columns that shows the bodies largest. */
static sb_film_layout layout_of(int count, int page,
                                const sb_view_extent *extent) {
    double wide = fmax(extent->right - extent->left, 1e-12);
    double high = fmax(extent->bottom - extent->top, 1e-12);
    sb_film_layout best = {0};
    for (int columns = 1; columns <= count; columns++) {
        int rows = (count + columns - 1) / columns;
        if ((rows - 1) * columns >= count) continue;
        int width = (page - 2 * MARGIN - (columns - 1) * GAP) / columns;
        int height = (page * PAGE_HEIGHT / PAGE_WIDTH - rows * CAPTION) / rows;
        width = least_of(width, FRAME_MOST);
        height = least_of(height, FRAME_MOST);
        if (height < FRAME_LOW) height = FRAME_LOW; /* a higher page */
        if (width < FRAME_LEAST) break;
        double scale =
            fmin((width - 2 * INSET) / wide, (height - 2 * INSET) / high);
        if (scale <= best.scale) continue;
        best = (sb_film_layout){.columns = columns,
                                .rows = rows,
                                .width = width,
                                .height = height,
                                .scale = scale};
    }
    /* Take away what the bodies do not fill. */
    int width = (int)ceil(wide * best.scale) + 2 * INSET;
    int height = (int)ceil(high * best.scale) + 2 * INSET;
    best.width =
        least_of(best.width, width < FRAME_LEAST ? FRAME_LEAST : width);
    best.height =
        least_of(best.height, height < FRAME_LOW ? FRAME_LOW : height);
    best.step_x = best.width + GAP;
    best.step_y = best.height + CAPTION;
    best.left = MARGIN;
    best.top = HEAD;
    best.x_m = 0.5 * (extent->left + extent->right);
    best.y_m = 0.5 * (extent->top + extent->bottom);
    best.grid_m = sb_nice_step(best.width / best.scale / CELLS);
    return best;
}

static void place(film *f) {
    f->camera = camera_of(f->def);
    sb_view_extent extent = extent_of(f->def, &f->camera);
    int page = f->def->page_width ? f->def->page_width : PAGE_WIDTH;
    f->layout = layout_of(f->def->frame_count, page, &extent);
    sb_film_layout *l = &f->layout;
    f->camera.scale = l->scale * FILM_FINE;
    f->camera.x = 0.5 * (l->width * FILM_FINE - 1) - l->x_m * f->camera.scale;
    f->camera.y = 0.5 * (l->height * FILM_FINE - 1) - l->y_m * f->camera.scale;
}

/* --- the page ------------------------------------------------------------- */

/* Times in ms if all are short, with digits for the least difference. */
static void time_text(const sb_film_def *def, int index, char text[32]) {
    double longest = 0, least = INFINITY;
    for (int i = 0; i < def->frame_count; i++) {
        longest = fmax(longest, fabs(def->frames[i].time_s));
        double apart =
            i > 0 ? fabs(def->frames[i].time_s - def->frames[i - 1].time_s) : 0;
        if (apart > 0) least = fmin(least, apart);
    }
    bool is_short = longest > 0 && longest < 0.1;
    double factor = is_short ? 1e3 : 1.0;
    double digits = isfinite(least) ? ceil(1 - log10(least * factor)) : 2;
    (void)snprintf(text, 32, "%.*f %s", (int)fmin(fmax(digits, 0), 6),
                   def->frames[index].time_s * factor, is_short ? "ms" : "s");
}

static void write_text(film *f, const char *text, bool is_right, int y,
                       sb_colour colour) {
    int length = sb_picture_text_length(text, SB_LABEL_SCALE);
    sb_picture_text(f->picture,
                    is_right ? f->picture->width - MARGIN - length : MARGIN, y,
                    text, SB_LABEL_SCALE, SB_TEXT_RIGHT, colour);
}

static void write_head(film *f) {
    const sb_film_def *def = f->def;
    char facts[160], grid[40] = "";
    if (def->floor)
        (void)snprintf(grid, sizeof grid, "%sgrid %g mm",
                       def->facts && *def->facts ? ", " : "",
                       f->layout.grid_m * 1e3);
    (void)snprintf(facts, sizeof facts, "%.110s%s",
                   def->facts ? def->facts : "", grid);
    if (def->title)
        write_text(f, def->title, false, SB_LABEL_TITLE_TOP, sb_colour_title);
    int room =
        f->picture->width - 2 * MARGIN - 2 * SB_LABEL_LETTER -
        sb_picture_text_length(def->title ? def->title : "", SB_LABEL_SCALE);
    if (sb_picture_text_length(facts, SB_LABEL_SCALE) <= room)
        write_text(f, facts, true, SB_LABEL_TITLE_TOP, sb_colour_label);
}

static void paint(film *f) {
    const sb_film_layout *l = &f->layout;
    sb_picture_fill(f->picture, sb_colour_ground);
    write_head(f);
    for (int i = 0; i < f->def->frame_count; i++) {
        int left = l->left + (i % l->columns) * l->step_x;
        int top = l->top + (i / l->columns) * l->step_y;
        char text[32];
        film_paint_frame(f, &f->def->frames[i], left, top);
        time_text(f->def, i, text);
        sb_picture_text(f->picture, left + 2, top + l->height + 8, text,
                        SB_LABEL_SCALE, SB_TEXT_RIGHT, sb_colour_label);
    }
}

static sb_status reserve(film *f, sb_error *err) {
    const sb_film_layout *l = &f->layout;
    int width = 2 * MARGIN + l->columns * l->step_x - GAP;
    int height = HEAD + l->rows * l->step_y + MARGIN / 2;
    int wide = l->width * FILM_FINE, high = l->height * FILM_FINE, largest = 0;
    for (int b = 0; b < f->def->body_count; b++)
        if (f->def->bodies[b].vertex_count > largest)
            largest = f->def->bodies[b].vertex_count;
    sb_status status = sb_view_make(wide, high, &f->view, err);
    if (!status) status = sb_picture_create(&f->picture, width, height, err);
    if (status) return status;
    f->shadow = sb_alloc((size_t)wide * (size_t)high, 1);
    f->row = sb_alloc((size_t)(wide > high ? wide : high), 1);
    f->normals = sb_alloc((size_t)largest, sizeof *f->normals);
    f->dropped = sb_alloc((size_t)largest, sizeof *f->dropped);
    if (f->shadow && f->row && f->normals && f->dropped) return SB_OK;
    return sb_no_memory(err, "film strip");
}

sb_status sb_film_strip_draw(sb_picture **out, const sb_film_def *def,
                             sb_film_layout *layout, sb_error *err) {
    sb_status status = check(def, err);
    if (status) return status;
    film f = {.def = def};
    place(&f);
    status = reserve(&f, err);
    if (!status) paint(&f);
    sb_view_free(&f.view);
    sb_free_all(f.shadow, f.row, f.normals, f.dropped);
    if (status) {
        sb_picture_destroy(f.picture);
        return status;
    }
    if (layout) *layout = f.layout;
    *out = f.picture;
    return SB_OK;
}

sb_status sb_film_strip_write(const char *path, const sb_film_def *def,
                              sb_error *err) {
    sb_picture *picture;
    sb_status status = sb_film_strip_draw(&picture, def, NULL, err);
    if (status) return status;
    status = sb_picture_save(picture, path, err);
    sb_picture_destroy(picture);
    return status;
}
