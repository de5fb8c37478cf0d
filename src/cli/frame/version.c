#include "cli/frame/version.h"

const char *cardo_version_text(void)
{
    return CARDO_VERSION " (" CARDO_REVISION ")";
}
