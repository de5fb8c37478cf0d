#!/usr/bin/env bash
# What shells complete: commands, options, words of options and of settings, names of settings, files. Each shell completes itself where it
# is installed. Manual pages have no fault that groff knows.
source "$(dirname "$0")/support.sh"

run 2 help --completion csh
says err 'bash, zsh, fish'
for shell in bash zsh fish; do
    run 0 help --completion $shell
    mv out $shell.script
done
touch structure.pdb

# expect SHELL LINE WORD: completing LINE offers WORD; with - in place of WORD's beginning: does not
expect() {
    local found
    found=$("complete_in_$1" "$2" "${3#-}" 2>/dev/null)
    case $3 in
    -*) if grep -qx -- "${3#-}" <<<"$found"; then fail "$1 completes '$2' by ${3#-}"; fi ;;
    *) grep -qx -- "$3" <<<"$found" || fail "$1 does not complete '$2' by $3: $(head -c 300 <<<"$found")" ;;
    esac
}

fail() {
    echo "$1"
    failures=$((failures + 1))
}

complete_in_bash() {
    bash -c 'source bash.script
        line=$1
        read -ra COMP_WORDS <<<"${line//=/ = }"
        case $line in *" ") COMP_WORDS+=("") ;; esac
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _cardo
        printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}

complete_in_fish() {
    HOME=$PWD fish -c 'source fish.script; complete -C $argv[1]' "$1" | cut -f 1
}

# In a terminal of its own, at the prompt; what stands there after a tab, as soon as the word that is looked for does, or after 5 s.
complete_in_zsh() {
    cat >terminal.zsh <<'ZSH'
zmodload zsh/zpty
zpty line "TERM=dumb zsh -f -i"
zpty -w line "PS1='@ '; autoload -U compinit; compinit -u -D; source ./zsh.script; setopt no_beep; bindkey '^I' complete-word; echo ready-\$((1 + 1))"
zpty -r line text "*ready-2*@ "
zpty -w -n line "$1"$'\t'
text=
for ((k = 0; k < 100; ++k)); do
    [[ $text = *$2* ]] && break
    sleep 0.05
    while zpty -r -t line part; do text+=$part; done
done
print -r -- $text
ZSH
    HOME=$PWD timeout 20 zsh -f terminal.zsh "$1" "$2" | tr ' =' '\n\n'
}

for shell in bash fish zsh; do
    if ! command -v $shell >/dev/null; then
        echo "SKIPPED: completion in $shell, which is not installed"
        continue
    fi
    $shell -n $shell.script || fail "$shell does not read its script"
    expect $shell 'cardo sim' simulate
    expect $shell 'cardo simulate --tim' --timestep
    [ $shell = zsh ] || expect $shell 'cardo energy --tim' ---timestep
    expect $shell 'cardo list mob' mobilizers
    expect $shell 'cardo help flex' flexible
    expect $shell 'cardo info struc' structure.pdb
    expect $shell 'cardo simulate --provider ri' rigid
    # bash completes what stands after "=" alone, and zsh's line is cut there
    ensemble=simulate.ensemble= umbrella=umbrella
    case $shell in
    fish) umbrella=sample.method=umbrella ;;
    zsh) ensemble=simulate.ensemble ;;
    esac
    expect $shell 'cardo simulate --set simulate.ensemb' $ensemble
    expect $shell 'cardo sample --set sample.method=umb' $umbrella
done

if command -v groff >/dev/null; then
    for page in '' simulate list; do
        # shellcheck disable=SC2086
        run 0 help --man $page
        cp out page.1
        faults=$(groff -man -Tascii -ww -z page.1 2>&1)
        [ -z "$faults" ] || fail "manual page of '$page': $(head -3 <<<"$faults")"
    done
else
    echo "SKIPPED: manual pages, there is no groff"
fi
run 2 help --man units
says err 'no manual page'
finish
