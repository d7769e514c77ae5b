/* runtime/dsp/contact/link.h -- what joins ringing bodies, played frame by
 * frame.
 *
 * Every contact here is one force F along one line. It has one side or two;
 * each is a point of a ringing body that is pushed by sign phi F and seen as
 * sign sum phi q. What a link measures of the step is
 *
 *     x1 = x0 + (what its own mass does) + (what it is driven by)
 *             - sum over sides sign (sum phi dq),     x1 = xf - sum_j C_ij F_j
 *
 * C_ij being how far a newton of link j moves link i in that step: all the
 * bodies' modes between them are in that one small matrix, and the forces are
 * found one after the other in turn until they agree. The kinds differ in
 * their law, F for a given x0 and x1:
 *
 *   striker     flies at a body, presses it and bounces (striker.h). Its second
 *               side, if any, is its own ringing: x = y + sum psi p - r - sum
 *               phi q, and its modes are pushed by -F.
 *   press       a striker that stays, as what rolls or rests: its weight is the
 *               load N, and its surface goes up and down by a profile h,
 *               x = y + h - r - sum phi q. What holds the body bears N.
 *   buzz        two bodies, or a body and a stop, with a gap between:
 *               x = u_a - u_b - gap, and contact.h's law.
 *   friction    F along the surface, bristle.h's law of the slip speed
 *               V - v_a + v_b. What rubs may have a mass on a spring of its
 *               own: m z'' = -k z - F - m V', and V + z' takes V's place.
 *   spring      inside one body, x = u: F = k1 u + k3 u^3 as a difference of
 *               k1 u^2 / 2 + k3 u^4 / 4, so that energy is exact.
 *   distortion  inside one body: F = c v / sqrt(1 + (v / knee)^2), v the mean
 *               speed of the step. It only ever takes energy.
 *   blow        a known force, the half-sine of impact.h, for bodies that have
 *               such springs: a bank would take it as if they were not there.
 *
 * Bodies and links that hang together make an island. Per block: look, then if
 * that says so load, play and store, else let the banks render; then fly.
 *
 * Weights of lasting links may move: given at a block's start, middle and end,
 * they follow the parabola through the three, frame by frame. What the point
 * climbs on the deformed surface is done by what moves it, like a profile.
 *
 * Symbols: x depth_m, F force_n, C give, h step_s or profile_m.
 * Thread:  audio. Memory: the caller's; what is pointed at must outlive the
 *          link's last block.
 */
#ifndef SB_DSP_CONTACT_LINK_H
#define SB_DSP_CONTACT_LINK_H

#include "runtime/dsp/contact/bristle.h"
#include "runtime/dsp/contact/striker.h"

enum {
    SB_ISLAND_BODIES = 8,
    SB_ISLAND_LINKS = SB_STRIKERS + 8,
    SB_PROFILE_POINTS = SB_BLOCK_FRAMES + 1,
    SB_LASTING_PARTS = 16, /* steps in a frame at most, of links that last */
    SB_PULSE_PARTS = 4 /* of a blow: 0.2 dB at 20 kHz, if it is an impulse */
};

typedef enum sb_link_kind {
    SB_LINK_STRIKER,
    SB_LINK_PRESS,
    SB_LINK_BUZZ,
    SB_LINK_FRICTION,
    SB_LINK_SPRING,
    SB_LINK_DISTORTION,
    SB_LINK_PULSE
} sb_link_kind;

typedef struct sb_link_side {
    int body;             /* its place in the island; < 0: it does not ring */
    double sign;          /* 1 or -1; the init functions set it */
    const float *weights; /* phi, padded; of moving ones at the block's start */
    const float *middle, *end; /* NULL: they stay */
    float *now;                /* room for as many, if they move */
    float *felt_ns; /* a block of frames, to which the force times the frame's
                       length is added; or NULL */
} sb_link_side;

/* What rubs. */
typedef struct sb_link_rub {
    const sb_bristle *law;
    double slip_m_s[2];          /* V, at the coming block's start and end */
    double rub_mass_kg;          /* of its own; 0: none, it goes at V */
    double rub_stiffness;        /* N/m, what holds that mass; > 0 with it */
    const struct sb_link *press; /* whose force is the load; NULL: load_n */
    /* Its own. */
    sb_bristle_state state, after;
    double stretch_m, speed_m_s; /* z, z' */
} sb_link_rub;

typedef struct sb_spring {
    double linear_n_m; /* k1 >= 0 */
    double cubic_n_m3; /* k3 >= 0 */
    double loss_ns_m;  /* c >= 0, of a distortion */
    double knee_m_s;   /* > 0, of a distortion */
} sb_spring;

typedef struct sb_link_pulse {
    double impulse_ns;
    double duration_s;  /* 0: an impulse, 1 / SB_PULSE_PARTS of a frame long */
    double start_frame; /* from the start of the coming block */
    bool is_over;       /* its own */
} sb_link_pulse;

typedef struct sb_link {
    sb_link_kind kind;
    sb_link_side side[2];
    sb_striker *striker;     /* STRIKER, PRESS, BUZZ: law, mass and motion */
    double load_n[2];        /* PRESS, FRICTION: N at the coming block's start
                                and end, >= 0 */
    const double *profile_m; /* PRESS: SB_PROFILE_POINTS heights of the coming
                                block, or NULL; only their differences count */
    double gap_m;            /* BUZZ */
    union {
        sb_link_rub rub;     /* FRICTION */
        sb_spring spring;    /* SPRING, DISTORTION */
        sb_link_pulse pulse; /* PULSE */
    };
    bool is_watched; /* somebody wants to see it: the owner's to set and use */
    /* Its own. */
    bool is_near; /* must be played in this block */
    int parts;    /* steps a frame that it needs */
    double depth_m, force_n;
} sb_link;

/* The sides' bodies and weights are the caller's to fill in afterwards, as are
 * load_n, profile_m and slip_m_s before every block. All begin with no body. */

/* `striker` set up as striker.h says; its weights are the first side's. Body 0,
 * until said otherwise. */
void sb_link_init_striker(sb_link *link, sb_striker *striker) SB_RT;

/* `room` holds the law and the motion from now on. inverse_mass is 1/M of the
 * body, 0 when it is held. */
void sb_link_init_press(sb_link *link, sb_striker *room,
                        const sb_contact_law *law, double mass_kg,
                        double inverse_mass) SB_RT;

/* The first side moves toward the second where its u grows. */
void sb_link_init_buzz(sb_link *link, sb_striker *room,
                       const sb_contact_law *law, double gap_m) SB_RT;

/* F drags the first side along and holds the second back. */
void sb_link_init_friction(sb_link *link, const sb_bristle *law,
                           double rub_mass_kg, double rub_stiffness) SB_RT;
void sb_link_init_spring(sb_link *link, double linear_n_m,
                         double cubic_n_m3) SB_RT;
void sb_link_init_distortion(sb_link *link, double loss_ns_m,
                             double knee_m_s) SB_RT;
void sb_link_init_pulse(sb_link *link, const sb_link_pulse *blow) SB_RT;

/* What a link holds now: of its masses, its contact spring, its bristles. 0 of
 * a striker that waits or is over; of a spring inside a body as it was when
 * last near. */
double sb_link_energy_j(const sb_link *link) SB_RT;

/* One frame of the link that is watched, at the frame's end. The energies are
 * the whole island's, since the trace began. */
typedef struct sb_trace_row {
    double force_n; /* mean over the frame, so that its sum is the impulse */
    double depth_m; /* of friction: how far the bristles are bent */
    double speed_m_s[2]; /* of each side's surface, the way the force pushes the
                            first; the second is the striker, or what rubs */
    double in_j;   /* work done from outside: weight, load, profile, drive;
                            and what was there or came in between blocks */
    double kept_j; /* masses, contact springs, bristles and modes, now */
    double lost_j; /* to damping of all kinds */
    double drift;  /* (in - kept - lost) / in: what the sums leave over */
} sb_trace_row;

typedef struct sb_trace {
    const sb_link *link; /* watched; NULL: energies only */
    sb_trace_row rows[SB_BLOCK_FRAMES];
    /* Sums so far, and as they were when the last block had been loaded: what
     * it found and what came in between are in those. */
    double in_j, kept_j, lost_j;
    double found_in_j, found_kept_j, found_lost_j;
} sb_trace;

typedef struct sb_island {
    double dt_s;
    int body_count, link_count;
    sb_modal_bank *bank[SB_ISLAND_BODIES];
    sb_modal_field *field[SB_ISLAND_BODIES]; /* needed once look says true */
    float *out[SB_ISLAND_BODIES]; /* SB_BLOCK_FRAMES each, to be added to */
    sb_link *link[SB_ISLAND_LINKS];
    sb_impact_log *log; /* of strikers' contacts */
    sb_trace *trace;    /* or NULL; zeros at first */
    /* Its own. */
    int parts;
    bool is_touched[SB_ISLAND_BODIES]; /* by a link that is near */
} sb_island;

/* As sb_striker_prepare, for a striker with two sides whose weights are set;
 * mode_count by side, 0 where none rings. */
void sb_link_prepare_striker(sb_link *link, const int mode_count[2],
                             double sample_rate_hz) SB_RT;

/* Look at the block to come: true when anything may touch. */
bool sb_island_look(sb_island *island) SB_RT;

/* Take the modes of the touched bodies out of their banks, play a block, which
 * adds what is heard of each to its `out`, and put them back. The untouched are
 * left to the caller, to be rendered by their banks. False when something was
 * not a number: what was touched is then silent and at rest, its strikers OVER,
 * and nothing has been added. */
bool sb_island_play(sb_island *island) SB_RT;

/* In every block, after the above if that was needed: strikers that are not
 * near fly on, and those and blows that are done are marked OVER. */
void sb_island_fly(sb_island *island) SB_RT;

/* As sb_island_play, on fields that the caller has loaded with island->parts
 * steps and stores; every body must be touched. */
void sb_island_play_fields(sb_island *island) SB_RT;

#endif
