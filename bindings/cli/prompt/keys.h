/* bindings/cli/prompt/keys.h -- bytes from a keyboard, until they make a key.
 *
 * Arrow keys and letters beyond ASCII come as several bytes, perhaps not at
 * once; a lone Escape looks like the beginning of an arrow. A key is whole when
 * nothing more belongs to it.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_PROMPT_KEYS_H
#define SB_BINDINGS_CLI_PROMPT_KEYS_H

#include <stdbool.h>
#include <wchar.h>

enum { KEY_QUEUE_SIZE = 4096 };

typedef struct key_queue {
    char bytes[KEY_QUEUE_SIZE];
    int count;
    long long came_ns; /* when the last of them came */
} key_queue;

typedef enum key_state { KEYS_NONE, KEYS_CAME, KEYS_GONE } key_state;

/* Take what there is, without waiting. */
key_state keys_read(key_queue *keys, int descriptor, long long now_ns);

/* Is there a whole key at the head? Escape alone, and keys that mean nothing
 * here, are dropped. */
bool keys_is_whole(key_queue *keys, long long now_ns);

int keys_first(const key_queue *keys); /* a byte, or -1 */
void keys_put_first(key_queue *keys, char byte);

/* Take one character, in the thread's locale. */
bool keys_take(key_queue *keys, wchar_t *out);

#endif
