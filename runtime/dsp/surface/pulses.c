#include "runtime/dsp/surface/pulses.h"

#include "runtime/base/block.h"
#include "runtime/dsp/surface/surface_kernel.h"

enum { AHEAD = SB_PULSES_AHEAD };

void sb_pulses_add(sb_pulses *pulses, sb_pulse pulse) {
    if (pulses->count < SB_PULSES_MOST) {
        pulses->pulse[pulses->count++] = pulse;
    } else {
        pulses->pulse[SB_PULSES_MOST - 1].impulse_ns += pulse.impulse_ns;
    }
}

static void add(const sb_surface_kernel *kernel, const sb_pulse *p,
                float *impulse_ns) {
    enum { WHOLE = 8 };
    double from = p->start_frame - AHEAD;
    double end = p->start_frame + p->duration_frames + AHEAD;
    if (from >= SB_BLOCK_FRAMES || end <= 0.0) return;
    int first = from > 0.0 ? (int)from / WHOLE * WHOLE : 0;
    int last = end < SB_BLOCK_FRAMES ? ((int)end / WHOLE + 1) * WHOLE
                                     : SB_BLOCK_FRAMES;
    kernel->pulse(p, first, last - first, impulse_ns);
}

void sb_pulses_block(sb_pulses *pulses, float *impulse_ns) {
    const sb_surface_kernel *kernel = sb_surface_kernel_chosen();
    int kept = 0;
    for (int i = 0; i < pulses->count; i++) {
        sb_pulse p = pulses->pulse[i];
        add(kernel, &p, impulse_ns);
        p.start_frame -= SB_BLOCK_FRAMES;
        if (p.start_frame + p.duration_frames > -AHEAD)
            pulses->pulse[kept++] = p;
    }
    pulses->count = kept;
}
