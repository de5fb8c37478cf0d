/* Only the first of several processes has a standard output. */
#ifndef CARDO_CLI_SILENCE_H
#define CARDO_CLI_SILENCE_H

/* From here on what this process prints leads nowhere. */
void cardo_silence_output(void);

#endif
