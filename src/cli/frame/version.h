/* Who this program is. */
#ifndef CARDO_CLI_FRAME_VERSION_H
#define CARDO_CLI_FRAME_VERSION_H

/* "0.2.0 (abc1234)": for logs and file headers. Static text. */
const char *cardo_version_text(void);

#endif
