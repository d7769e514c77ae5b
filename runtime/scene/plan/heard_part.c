/* Chooses the frequencies, decays and waves of modes that stand for many
 * (heard_part.h). Runs on the thread that owns the plan. */
#include "runtime/scene/plan/heard_part.h"

#include "runtime/base/pi.h"
#include "runtime/model/sound/beyond.h"
#include "runtime/scene/plan/beyond_part.h"
#include "runtime/scene/plan/noise_part.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>

/* Directions and phases that fill a sphere and a turn evenly: powers of 1 /
 * 1.2207, the golden ratio of three dimensions. */
#define STEP_1 0.8191725133961645
#define STEP_2 0.6710436067037893
#define STEP_3 0.5497004779019703

enum { GRID = 1024 };

bool sb_heard_is_needed(const sb_body_def *def, double loss) {
    /* Springs have no weights for them. */
    return loss > SB_HEARD_LOSS && !def->nonlinear.is_on;
}

/* Frequencies of a grid of equal ratios, the middle of each cell. */
static double grid_hz(double from_hz, double to_hz, double cell) {
    return from_hz * pow(to_hz / from_hz, cell / GRID);
}

static double needed(const sb_planned *planned, double from_hz, double to_hz,
                     int cell) {
    double hz = grid_hz(from_hz, to_hz, cell + 0.5);
    double width = hz * log(to_hz / from_hz) / GRID;
    return SB_PI / 2 * width / sb_beyond_sigma(planned, hz);
}

double sb_heard_from(const sb_planned *planned, double from_hz, double to_hz) {
    double sum = 0;
    int cell = GRID;
    while (cell > 0) {
        sum += needed(planned, from_hz, to_hz, cell - 1);
        /* Some modes are silent if there is noise. */
        if (sum > (SB_YIELD_MOST - SB_YIELD_MODES) / 2.0 &&
            (cell > 1 || sum > SB_YIELD_MOST / 2.0))
            break;
        cell--;
    }
    return cell > 0 ? grid_hz(from_hz, to_hz, cell) : from_hz;
}

static sb_yield_mode mode_at(const sb_planned *planned, int i, double hz,
                             double width_hz) {
    double up = 2 * fmod(0.5 + i * STEP_1, 1.0) - 1, flat = sqrt(1 - up * up);
    double turn = SB_TAU * fmod(0.5 + i * STEP_2, 1.0);
    double k = sb_model_beyond_wavenumber(planned->model, hz);
    return (sb_yield_mode){
        .freq_hz = hz,
        .sigma_per_s = sb_beyond_sigma(planned, hz),
        .weight = width_hz,
        .is_heard = true,
        .wave_per_m = {k * flat * cos(turn), k * up, k * flat * sin(turn)},
        .phase = SB_TAU * fmod(0.5 + i * STEP_3, 1.0),
    };
}

void sb_heard_place(sb_planned *planned, double from_hz, double to_hz) {
    sb_noise_part *noise = planned->noise;
    int silent = noise->yield_count, count = SB_YIELD_MOST - silent;
    double all = 0, sum = 0, low_hz = from_hz, ends[2] = {0};
    for (int cell = 0; cell < GRID; cell++)
        all += needed(planned, from_hz, to_hz, cell);
    /* Where the share of all that has passed is i / count one ends, and where
     * it is half past one lies its middle. */
    int halves = 1;
    for (int cell = 0; cell < GRID; cell++) {
        double part =
            0.5 * needed(planned, from_hz, to_hz, cell) / all + 0.5 / GRID;
        double next = cell == GRID - 1 ? 1 : sum + part;
        while (halves <= 2 * count && halves / (2.0 * count) <= next) {
            double at = cell + (halves / (2.0 * count) - sum) / part;
            ends[halves % 2] = grid_hz(from_hz, to_hz, fmin(at, GRID));
            if (halves % 2 == 0) {
                noise->yields[noise->yield_count] = mode_at(
                    planned, noise->yield_count, ends[1], ends[0] - low_hz);
                noise->yield_count++;
                low_hz = ends[0];
            }
            halves++;
        }
        sum = next;
    }
}
