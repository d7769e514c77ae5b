/* Decodes bytes from a terminal into keys: UTF-8, escape sequences.
 * Thread: control. */
#include "bindings/cli/prompt/keys.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Longest delay between the bytes of one key. */
#define PATIENCE_NS 50000000LL

enum { ESCAPE = 27 };

key_state keys_read(key_queue *keys, int descriptor, long long now_ns) {
    struct pollfd wait = {.fd = descriptor, .events = POLLIN};
    int room = KEY_QUEUE_SIZE - keys->count - 1; /* one for keys_put_first */
    if (room <= 0 || poll(&wait, 1, 0) <= 0) return KEYS_NONE;
    ssize_t count = read(descriptor, keys->bytes + keys->count, (size_t)room);
    if (count == 0 || (count < 0 && (wait.revents & (POLLHUP | POLLERR)))) {
        return KEYS_GONE;
    }
    if (count < 0) return KEYS_NONE;
    keys->count += (int)count;
    keys->came_ns = now_ns;
    return KEYS_CAME;
}

static void drop(key_queue *keys, int count) {
    keys->count -= count;
    memmove(keys->bytes, keys->bytes + count, (size_t)keys->count);
}

int keys_first(const key_queue *keys) {
    return keys->count ? (unsigned char)keys->bytes[0] : -1;
}

void keys_put_first(key_queue *keys, char byte) {
    memmove(keys->bytes + 1, keys->bytes, (size_t)keys->count);
    keys->bytes[0] = byte;
    keys->count++;
}

/* --- how long is the key at the head? 0: not all of it is there ----------- */

static int length_of_utf8(const key_queue *keys) {
    unsigned char first = (unsigned char)keys->bytes[0];
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    return length <= keys->count ? length : 0;
}

/* ESC [ ... letter, ESC O letter, ESC letter. */
static int length_of_sequence(const key_queue *keys) {
    if (keys->count < 2) return 0;
    if (keys->bytes[1] == 'O') return keys->count >= 3 ? 3 : 0;
    if (keys->bytes[1] != '[') return 2;
    for (int i = 2; i < keys->count; i++) {
        if (keys->bytes[i] >= '@' && keys->bytes[i] <= '~') return i + 1;
    }
    return 0;
}

/* Sequences bound in line_editor.c; libedit would insert others as text. */
static bool is_known(const char *bytes, int length) {
    static const char *const known[] = {
        "[A", "[B", "[C", "[D",  "[H",  "[F",  "OA",    "OB",   "OC",
        "OD", "OH", "OF", "[1~", "[3~", "[4~", "[1;5C", "[1;5D"};
    if (length == 2) return true; /* Meta and a letter */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if ((int)strlen(known[i]) == length - 1 &&
            memcmp(known[i], bytes + 1, (size_t)length - 1) == 0) {
            return true;
        }
    }
    return false;
}

bool keys_is_whole(key_queue *keys, long long now_ns) {
    while (keys->count > 0) {
        if (keys->bytes[0] == '\0') {
            drop(keys, 1);
            continue;
        }
        bool is_sequence = keys->bytes[0] == ESCAPE;
        int length =
            is_sequence ? length_of_sequence(keys) : length_of_utf8(keys);
        if (length > 0 && (!is_sequence || is_known(keys->bytes, length))) {
            return true;
        }
        if (length == 0 && now_ns - keys->came_ns < PATIENCE_NS) return false;
        drop(keys, length > 0 ? length : 1);
    }
    return false;
}

bool keys_take(key_queue *keys, wchar_t *out) {
    if (keys->count == 0) return false;
    mbstate_t state = {0};
    size_t length = mbrtowc(out, keys->bytes, (size_t)keys->count, &state);
    if (length == 0 || length > (size_t)keys->count) {
        *out = L'?'; /* invalid in this locale */
        length = 1;
    }
    drop(keys, (int)length);
    return true;
}
