#include "cli/tabulate.h"

#include "base/memory.h"
#include "cli/run_folder.h"
#include "io/tables/force_table_file.h"
#include "study/session/table.h"

#include <unistd.h>

cardo_status cardo_run_tabulate(cardo_session *session, const char *folder, const char *identity,
                                bool continues, cardo_error *error)
{
    char *path = NULL;
    cardo_status status = cardo_run_folder_path(folder, "forces.table", &path, error);
    if (status == CARDO_OK) {
        const cardo_table_store store = cardo_force_table_store(path);
        status = cardo_session_tabulate(session, identity, continues, &store, error);
    }
    cardo_free(path);
    if (status != CARDO_OK)
        rmdir(folder); /* fails, as it should, where anything is in it */
    return status;
}
