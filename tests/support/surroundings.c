#include "support/surroundings.h"

#include <dirent.h>
#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int count_entries(const char *folder)
{
    int n = 0;
    DIR *list = opendir(folder);
    while (list && readdir(list))
        ++n;
    if (list)
        closedir(list);
    return n;
}

void support_look_around(support_surroundings *s)
{
    volatile double smallest = DBL_MIN;
    memset(s, 0, sizeof *s);
    for (int k = 1; k < SUPPORT_SIGNALS; ++k)
        sigaction(k, NULL, &s->action[k]);
    sigprocmask(SIG_BLOCK, NULL, &s->mask);
    for (int k = 0; k < 3; ++k)
        fstat(k, &s->stream[k]);
    if (!getcwd(s->folder, sizeof s->folder))
        abort();
    snprintf(s->locale, sizeof s->locale, "%s", setlocale(LC_ALL, NULL));
    s->umask = umask(0);
    umask(s->umask);
    while (environ[s->nvariable])
        s->nvariable++;
    s->nfile = count_entries("/proc/self/fd");
    s->nchild = waitpid(-1, NULL, WNOHANG) >= 0;
    s->rounding = fegetround();
    s->traps = fegetexcept();
    s->denormal = smallest / 2;
}

static int tell(bool same, const char *what, int number)
{
    if (!same)
        fprintf(stderr, "not as it was: %s %d\n", what, number);
    return !same;
}

int support_count_changes(const support_surroundings *before, const support_surroundings *now)
{
    int n = 0;
    for (int k = 1; k < SUPPORT_SIGNALS; ++k) {
        n += tell(before->action[k].sa_handler == now->action[k].sa_handler &&
                      before->action[k].sa_flags == now->action[k].sa_flags,
                  "what is done at signal", k);
        n += tell(sigismember(&before->mask, k) == sigismember(&now->mask, k),
                  "whether it hears signal", k);
    }
    for (int k = 0; k < 3; ++k)
        n += tell(before->stream[k].st_dev == now->stream[k].st_dev &&
                      before->stream[k].st_ino == now->stream[k].st_ino,
                  "standard stream", k);
    n += tell(strcmp(before->folder, now->folder) == 0, "working folder", 0);
    n += tell(strcmp(before->locale, now->locale) == 0, "locale", 0);
    n += tell(before->umask == now->umask, "umask", (int)now->umask);
    n += tell(before->nvariable == now->nvariable, "variables of the environment:", now->nvariable);
    n += tell(before->nfile == now->nfile, "open files:", now->nfile - before->nfile);
    n += tell(before->nchild == now->nchild, "children:", now->nchild);
    n += tell(before->rounding == now->rounding, "rounding mode", now->rounding);
    n += tell(before->traps == now->traps, "floating-point traps", now->traps);
    n += tell(before->denormal == now->denormal && now->denormal > 0, "small numbers", 0);
    return n;
}
