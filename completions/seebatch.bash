# Completion of seebatch for bash. Commands, options and the words that may follow an option are those that the help and
# the error messages of the installed tool list, so that they are always the right ones.

_seebatch_commands() {
    "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
}

_seebatch_options() {
    "$1" "$2" --help 2>/dev/null | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z][a-z0-9-]*\) .*/\2/p'
}

# What the help calls the argument of an option: FILE, or words with | between them; nothing where it has none.
_seebatch_argument() {
    "$1" "$2" --help 2>/dev/null | sed -n "s/^  \(-., \)\{0,1\}$3 \([^ ][^ ]*\) .*/\2/p"
}

# What the tool says that it expected behind an option, one of several words.
_seebatch_expected() {
    "$1" "$2" "$3" '?' 2>&1 </dev/null |
        sed -n '/expected one of/{s/.*expected one of //;s/those available: //;s/,/ /g
            s/=[A-Z]*/=/g;p;q;}'
}

# The conditions that the help lists; of NAME[=RANGE] both forms.
_seebatch_conditions() {
    "$1" "$2" --help 2>/dev/null | sed -n '/^Conditions/,/^$/{s/^  \([a-z][^ ]*\).*/\1/
            t row
            d
            :row
            s/\([a-z-]*\)\[=[A-Z]*\]/\1 \1=/;s/([A-Z]*)=[A-Z]*/(/;s/=[A-Z]*/=/;p;}'
}

# The words that may follow an option; fails where a file may, or where it has no argument.
_seebatch_values() {
    local argument
    case $3 in
    -o) set -- "$1" "$2" --output ;;
    -j) set -- "$1" "$2" --threads ;;
    --*) ;;
    *) return 1 ;;
    esac
    argument=$(_seebatch_argument "$@")
    case $argument in
    '' | FILE) return 1 ;;
    *'|'*) echo "${argument//|/ }" ;;
    CONDITION) _seebatch_conditions "$@" ;;
    *) _seebatch_expected "$@" ;;
    esac
}

_seebatch() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} tool=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
    local words
    COMPREPLY=()
    # bash takes --option=value for three words
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ] && [ "$COMP_CWORD" -ge 2 ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$(_seebatch_commands "$tool") --help --version"
    elif [ "$command" = help ]; then
        words=$(_seebatch_commands "$tool")
    elif words=$(_seebatch_values "$tool" "$command" "$before"); then
        :
    elif [ "${word#-}" != "$word" ]; then
        words=$(_seebatch_options "$tool" "$command")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    case "${COMPREPLY[*]}" in
    *= | *'(') compopt -o nospace 2>/dev/null ;;
    esac
}

complete -F _seebatch seebatch
