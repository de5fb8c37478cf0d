/* Standard output is the program's alone: what it prints there is read by other programs. */
#ifndef CARDO_CLI_PROCESSES_OWN_OUTPUT_H
#define CARDO_CLI_PROCESSES_OWN_OUTPUT_H

/* From now on the stream stdout is the program's own, and what libraries print on standard output of themselves
 * (OpenMM, of an OpenCL implementation that it does not know) comes on standard error. Nothing changes where standard output or error is closed. */
void cardo_own_output(void);

#endif
