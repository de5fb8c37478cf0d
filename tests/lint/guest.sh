#!/usr/bin/env bash
# The library is a guest in the process that it lives in: it starts and ends no process, touches no signal, no stream that it did not
# open, no locale and no MPI of its own. All that belongs to the program, src/cli.
#   guest.sh SOURCES LIBRARY
set -u
cd "$1" || exit 1
library=$2
failed=0
calls='fork|vfork|posix_spawnp?|exec[vl][pe]*|execve|fexecve|system|popen|_exit|_Exit|exit|quick_exit|atexit|abort|raise|'
calls+='signal|sigaction|sigprocmask|pthread_kill|alarm|setitimer|dup|dup2|dup3|freopen|chdir|fchdir|umask|setenv|putenv|unsetenv|'
calls+='setlocale|srand|srandom|setrlimit|feenableexcept|fesetround|MPI_Init|MPI_Init_thread|MPI_Finalize|MPI_Abort'
found=$(find src -path src/cli -prune -o \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.inc' \) -print0 |
    xargs -0 grep -nE "(^|[^A-Za-z0-9_.>\"])($calls)[[:space:]]*\(" | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)')
if [ -n "$found" ]; then
    echo "these belong to the program (src/cli), not to the library:"
    echo "$found"
    failed=1
fi
# What no text shows: calls that macros or C++ make.
case $library in
*.so*)
    names=$(nm -D --undefined-only "$library" | awk '{print $2}' | sed 's/@.*//')
    bad=$(grep -xE "$calls" <<<"$names")
    if [ -n "$bad" ]; then
        echo "$library calls:" $bad
        failed=1
    fi
    [ -n "$names" ] || {
        echo "$library calls nothing: was it read?"
        failed=1
    }
    ;;
*) echo "SKIPPED: $library is no shared library, what it calls was not looked at" ;;
esac
exit $failed
