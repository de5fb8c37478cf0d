#include "study/session/inputs.h"

#include "base/memory.h"
#include "base/text.h"
#include "structure/records/remarks.h"
#include "study/session/listener.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FILES = 32 };

const char *const cardo_numbering_words[] = {"author", "label", NULL};

bool cardo_next_word(const char **list, char *word, size_t size)
{
    const char *begin = *list + strspn(*list, ", ");
    size_t n = strcspn(begin, ",");
    *list = begin + n;
    while (n > 0 && begin[n - 1] == ' ')
        --n;
    snprintf(word, size, "%.*s", (int)n, begin);
    return n > 0;
}

cardo_status cardo_forcefield_read_list(const char *list, cardo_forcefield **out,
                                        cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char name[4096], *path[MOST_FILES];
    const char *borrowed[MOST_FILES];
    int n = 0;
    while (cardo_next_word(&list, name, sizeof name)) {
        if (n == MOST_FILES)
            CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT, "a force field is of %d files at most",
                                 MOST_FILES));
        CARDO_TRY(cardo_find_data(name, NULL, "forcefields", &path[n], error));
        borrowed[n] = path[n];
        ++n;
    }
    if (n == 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "forcefield=\"\" names no file");
    status = cardo_forcefield_read(n, borrowed, out, error);
done:
    while (n > 0)
        cardo_free(path[--n]);
    return status;
}

/* What a remark is of. */
typedef struct remark_teller {
    const cardo_listener *listener;
    const char *source;
} remark_teller;

static void tell_remark(void *user, const char *text)
{
    const remark_teller *teller = user;
    cardo_tell(teller->listener, CARDO_SAID_REMARK, teller->source, "%s", text);
}

void cardo_tell_remarks(const cardo_listener *listener, const cardo_structure *structure)
{
    remark_teller teller = {listener, structure->source};
    cardo_structure_remarks(structure, tell_remark, &teller);
}
