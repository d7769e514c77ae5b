/* runtime/engine/output/backend_log.h -- silence messages of sound libraries.
 *
 * Without a sound card or server, libasound writes dozens of lines to standard
 * error, and libjack some more. The program reports that in one line, so theirs
 * are turned off. Both libraries are optional at run time and opened in the
 * same way as miniaudio opens them.
 *
 * Thread: any. Memory: the libraries stay open until the program ends.
 */
#ifndef SB_ENGINE_OUTPUT_BACKEND_LOG_H
#define SB_ENGINE_OUTPUT_BACKEND_LOG_H

/* Call before the first context of miniaudio; repeated calls are allowed. */
void sb_backend_log_off(void);

#endif
