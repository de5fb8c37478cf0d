/* Model files whose structures are there. */
#ifndef CARDO_TESTS_FUZZ_MODELS_H
#define CARDO_TESTS_FUZZ_MODELS_H

/* Writes open.pdb and closed.pdb, sixteen C-alpha atoms each: a helix, and one that is bent. */
void fuzz_write_structures(void);

/* Reads the model file and compiles what it makes; an error must have words. */
void fuzz_read_model(const char *path);

#endif
