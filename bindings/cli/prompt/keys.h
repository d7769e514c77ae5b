/* bindings/cli/prompt/keys.h -- collects the bytes of a terminal into keys.
 *
 * Arrow keys and letters beyond ASCII arrive as several bytes, possibly with
 * delays, and a lone Escape looks like the beginning of an arrow key. A key is
 * complete when no further byte can belong to it.
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
    long long came_ns; /* arrival of the last byte */
} key_queue;

typedef enum key_state { KEYS_NONE, KEYS_CAME, KEYS_GONE } key_state;

/* Read the available bytes without waiting. */
key_state keys_read(key_queue *keys, int descriptor, long long now_ns);

/* True if the queue starts with a complete key. Drops a lone Escape and unbound
 * keys. */
bool keys_is_whole(key_queue *keys, long long now_ns);

int keys_first(const key_queue *keys); /* a byte, or -1 */
void keys_put_first(key_queue *keys, char byte);

/* Remove one character, decoded in the thread's locale. */
bool keys_take(key_queue *keys, wchar_t *out);

#endif
