/* bindings/api/l_lesson.c -- lessons: what a button does, and whether a task is
 * done.
 *
 *     sb.action("strike_end", function() bar:strike { ... } end)
 *     sb.question("silent_second", function(answer)
 *       local all = sb.strikes()
 *       ...
 *       return is_right, "why"
 *     end)
 *
 * The text of a lesson, NN_name.md, names them (scripts/guide/lessons.md).
 * Thread: the one that runs the script.
 */
#include "bindings/api/lesson.h"

#include "bindings/api/api.h"
#include "bindings/api/types.h"
#include "bindings/bind.h"
#include "bindings/script/timers.h"
#include "runtime/scene/contact/scene_strike.h"

#include <stdio.h>
#include <string.h>

/* In the registry: { name = function }. */
#define ACTIONS   "sandbell.actions"
#define QUESTIONS "sandbell.questions"

enum { LESSON_MOST = 64 };

static void push_list(lua_State *L, const char *list) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, list);
}

static int declare(lua_State *L, const char *list, const char *where) {
    (void)bind_check_name(L, 1, where);
    bind_check_function(L, 2, where);
    lua_settop(L, 2);
    push_list(L, list);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_rawset(L, 3);
    return 0;
}

static int lesson_action(lua_State *L) {
    return declare(L, ACTIONS, "sb.action");
}

static int lesson_question(lua_State *L) {
    return declare(L, QUESTIONS, "sb.question");
}

/* Pushes the function called by the text at `name`, or raises. */
static void push_named(lua_State *L, const char *list, int name,
                       const char *where, const char *kind) {
    push_list(L, list);
    lua_pushvalue(L, name);
    if (lua_rawget(L, -2) != LUA_TFUNCTION) {
        bind_error(L, "%s: the scene declares no %s '%s'", where, kind,
                   lua_tostring(L, name));
    }
    lua_remove(L, -2);
}

static int lesson_do(lua_State *L) {
    script_check_running(L, "sb.press");
    (void)bind_check_text(L, 1, "sb.press", "the name");
    lua_settop(L, 1);
    push_named(L, ACTIONS, 1, "sb.press", "action");
    lua_replace(L, 1);
    (void)timers_add_thread(L);
    return 0;
}

/* Pushes true or false, and a text. */
static int lesson_ask(lua_State *L) {
    script_check_running(L, "sb.ask");
    (void)bind_check_text(L, 1, "sb.ask", "the name");
    lua_settop(L, 2);
    push_named(L, QUESTIONS, 1, "sb.ask", "question");
    lua_pushvalue(L, 2);
    lua_call(L, 1, 2);
    bool is_right = lua_toboolean(L, -2);
    if (lua_type(L, -1) != LUA_TSTRING) {
        lua_pop(L, 1);
        lua_pushstring(L, is_right ? "That is right." : "Not yet.");
    }
    lua_pushboolean(L, is_right);
    lua_replace(L, -3);
    return 2;
}

/* --- the latest strikes ---------------------------------------------------- */

static void push_energies(lua_State *L, const sb_hit *hit) {
    lua_createtable(L, hit->mode_count, 0);
    for (int k = 0; k < hit->mode_count; k++) {
        lua_pushnumber(L, hit->energy_j[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "energies");
}

static void push_hit(lua_State *L, const sb_hit *hit) {
    lua_createtable(L, 0, 10);
    body_push_id(L, hit->body);
    lua_setfield(L, -2, "body");
    bind_set_number(L, "time", hit->time_s);
    bind_set_number(L, "speed", hit->speed_m_s);
    bind_set_number(L, "impulse", hit->impulse_ns);
    bind_set_number(L, "duration", hit->duration_s);
    push_vec3(L, hit->spot.point);
    lua_setfield(L, -2, "point");
    if (hit->spot.has_uv) {
        bind_set_number(L, "u", hit->spot.u);
        bind_set_number(L, "v", hit->spot.v);
    }
    push_energies(L, hit);
}

static int lesson_strikes(lua_State *L) {
    script_check_running(L, "sb.strikes");
    const sb_scene *scene = script_scene(script_of(L));
    sb_hit *hits = lua_newuserdatauv(L, SB_HITS * sizeof *hits, 0);
    int count = sb_scene_hits(scene, hits);
    int shown = 0;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        if (!sb_scene_has(scene, hits[i].body)) continue;
        push_hit(L, &hits[i]);
        lua_rawseti(L, -2, ++shown);
    }
    return 1;
}

/* --- from outside ----------------------------------------------------------- */

typedef struct lesson_call {
    const char *list, *name, *answer;
    lesson_verdict *verdict;
    bool is_there;
    void (*each)(void *user, const char *name);
    void *user;
} lesson_call;

/* A number where the text is one. */
static void push_answer(lua_State *L, const char *answer) {
    if (!answer || !*answer) {
        lua_pushnil(L);
    } else if (lua_stringtonumber(L, answer)) {
        lua_pushnumber(L, lua_tonumber(L, -1));
        lua_remove(L, -2);
    } else {
        lua_pushstring(L, answer);
    }
}

static int call_named(lua_State *L) {
    lesson_call *call = lua_touserdata(L, 1);
    push_list(L, call->list);
    lua_pushstring(L, call->name);
    call->is_there = lua_rawget(L, -2) == LUA_TFUNCTION;
    if (!call->is_there) return 0;
    if (!call->verdict) {
        script_run_now(L);
        return 0;
    }
    lua_settop(L, 0);
    lua_pushcfunction(L, lesson_ask);
    lua_pushstring(L, call->name);
    push_answer(L, call->answer);
    lua_call(L, 2, 2);
    call->verdict->is_right = lua_toboolean(L, -2);
    (void)snprintf(call->verdict->text, sizeof call->verdict->text, "%s",
                   lua_tostring(L, -1));
    return 0;
}

static sb_status run(sb_script *script, lesson_call *call, const char *kind,
                     sb_error *err) {
    sb_status status =
        script_protect(script, GUARD_CALL, call_named, call, err);
    if (status || call->is_there) return status;
    return sb_fail(err, SB_NOT_FOUND, "the scene declares no %s '%.60s'", kind,
                   call->name);
}

sb_status lesson_check(sb_script *script, const char *question,
                       const char *answer, lesson_verdict *out, sb_error *err) {
    *out = (lesson_verdict){0};
    lesson_call call = {QUESTIONS, question, answer, out, false, NULL, NULL};
    return run(script, &call, "question", err);
}

sb_status lesson_press(sb_script *script, const char *action, sb_error *err) {
    lesson_call call = {ACTIONS, action, NULL, NULL, false, NULL, NULL};
    return run(script, &call, "action", err);
}

static int list_names(lua_State *L) {
    const lesson_call *call = lua_touserdata(L, 1);
    const char *names[LESSON_MOST];
    int count = 0;
    push_list(L, call->list);
    lua_pushnil(L);
    while (count < LESSON_MOST && lua_next(L, 2)) {
        const char *name = lua_tostring(L, -2);
        int at = count++;
        while (at > 0 && strcmp(names[at - 1], name) > 0) {
            names[at] = names[at - 1];
            at--;
        }
        names[at] = name; /* held by the table */
        lua_pop(L, 1);
    }
    for (int i = 0; i < count; i++)
        call->each(call->user, names[i]);
    return 0;
}

void lesson_names(sb_script *script, bool are_questions,
                  void (*each)(void *user, const char *name), void *user) {
    lesson_call call = {.list = are_questions ? QUESTIONS : ACTIONS,
                        .each = each,
                        .user = user};
    sb_status status =
        script_protect(script, GUARD_CALL, list_names, &call, NULL);
    (void)status;
}

/* --- tables of the API ------------------------------------------------------- */

static const bind_function functions[] = {
    {"action", lesson_action, "name: string, run: fun()", "",
     "A button of a lesson: its text names it, and run may call sb.sleep."},
    {"question", lesson_question,
     "name: string, check: fun(answer: number|string|nil): boolean, string?",
     "",
     "A task of a lesson. check looks at the running scene and returns whether "
     "the task is done, and a sentence; answer is what the student typed."},
    {"press", lesson_do, "name: string", "", "Run an action."},
    {"ask", lesson_ask, "name: string, answer?: number|string",
     "boolean, string", "Ask a question: is the task done, and a sentence."},
    {"strikes", lesson_strikes, "", "sandbell.Strike[]",
     "The latest strikes of scripts and of hands in the studio, at most 64, "
     "newest last."},
    {NULL, NULL, NULL, NULL, NULL},
};

static const bind_field strike_record[] = {
    FIELD_OTHER("body", "sandbell.Body", "", "that was struck"),
    FIELD_OTHER("time", "number", "s", "of the scene"),
    FIELD_OTHER("speed", "number", "m/s", "of the striker; 0: not known"),
    FIELD_OTHER("impulse", "number", "N s", "given to the body"),
    FIELD_OTHER("duration", "number", "s", "of the contact"),
    FIELD_OTHER("point", "sandbell.Vec3", "m", "in the world"),
    FIELD_OTHER("u", "number?", "", "along the surface, 0 to 1"),
    FIELD_OTHER("v", "number?", "", "across the surface, likewise"),
    FIELD_OTHER("energies", "number[]", "J",
                "that a half-sine pulse of this impulse and duration gives to "
                "the lowest modes, at most 24"),
    FIELD_END,
};

static const bind_record records[] = {
    {"sandbell.Strike", "One of sb.strikes.", strike_record},
    {NULL, NULL, NULL},
};

const api_chapter lesson_chapter = {"Lessons", functions, records, NULL};
