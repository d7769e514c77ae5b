/* runtime/engine/output/backend_log.h -- sound libraries that talk on standard
 * error.
 *
 * Where there is no sound card or no server, libasound writes dozens of lines
 * of its own and libjack some more. We say it in one line, so theirs are turned
 * off. Both libraries are optional at run time and opened as miniaudio opens
 * them.
 *
 * Thread: any. Memory: the libraries stay open until the program ends.
 */
#ifndef SB_ENGINE_OUTPUT_BACKEND_LOG_H
#define SB_ENGINE_OUTPUT_BACKEND_LOG_H

/* Before the first context of miniaudio; any number of times. */
void sb_backend_log_off(void);

#endif
