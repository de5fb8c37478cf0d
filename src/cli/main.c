#include "cli/verbs.h"

#include "cli/processes/interrupt.h"
#include "cli/processes/own_output.h"
#include <cardo/text.h>

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *verb, const cardo_error *error, cardo_status status)
{
    fflush(stdout);
    if (verb)
        fprintf(stderr, "cardo %s: %s\n", verb, error->message);
    else
        fprintf(stderr, "cardo: %s\n", error->message);
    if (status == CARDO_ERROR_INTERRUPTED && cardo_interrupted)
        return 128 + cardo_interrupted;
    return cardo_exit_status(status);
}

static int unknown_verb(const char *word)
{
    const char *names[32];
    int n = 0;
    for (const cardo_verb *const *verb = cardo_verbs; *verb; ++verb)
        names[n++] = (*verb)->name;
    names[n] = NULL;
    const char *near = cardo_nearest_name(word, names);
    fprintf(stderr, "cardo: there is no command '%s'%s%s%s; see cardo help\n", word,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return 2;
}

/* Large arrays go back to the system when they are freed, wherever they lie: else the set-up of a large assembly leaves holes, a
 * twentieth of all its memory. */
static void give_memory_back(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
}

/* OpenBLAS takes all cores where a matrix has a hundred rows, which is slower (a fit of 190 torsions takes three times the processor time), and
 * makes last bits those of the number of cores. Modes, of matrices of thousands, may. */
static void keep_to_one_thread(void)
{
    void (*set_threads)(int) = NULL;
    void *const found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    memcpy(&set_threads, &found, sizeof set_threads);
    if (set_threads)
        set_threads(1);
}

int main(int argc, char **argv)
{
    give_memory_back();
    cardo_own_output();
    cardo_error error = {0};
    const char *word = argc > 1 ? argv[1] : "help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        word = "version";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    const cardo_verb *verb = cardo_verb_find(cardo_verbs, word);
    if (!verb)
        return unknown_verb(word);
    for (int k = 2; k < argc; ++k)
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            argv[k] = argv[1];
            return cardo_exit_status(cardo_verb_run(&cardo_verb_help, 1, &argv[k], &error));
        }
    if (verb != &cardo_verb_modes)
        keep_to_one_thread();
    cardo_status status = cardo_verb_run(verb, argc > 2 ? argc - 2 : 0, argv + 2, &error);
    if (status == CARDO_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = CARDO_FAIL(&error, CARDO_ERROR_FILE, "standard output cannot be written");
    return status == CARDO_OK ? 0 : fail(argc > 1 ? verb->name : NULL, &error, status);
}
