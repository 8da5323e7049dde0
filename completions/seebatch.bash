# Completion of seebatch for bash. Commands, options and names that may follow an option are those that the help and the
# error messages of the installed tool list, so that they are always the right ones.

_seebatch_commands() {
    "$1" --help 2>/dev/null | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

_seebatch_options() {
    "$1" "$2" --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u
}

# What the tool says that it expected behind an option.
_seebatch_expected() {
    "$1" "$2" "$3" '?' 2>&1 </dev/null | sed -n '/expected/{s/.*expected //;s/one of //;s/those available: //;s/ or / /;s/,/ /g;p;q;}'
}

# The words that may follow an option; fails where any text or file may.
_seebatch_values() {
    case $3 in
    --rules | --against)
        _seebatch_expected "$1" eval --rules
        [ "$2" != compare ] || echo minimax legal-least-first
        ;;
    --kernel) _seebatch_expected "$1" eval --kernel ;;
    --from | --to | --columns | --lose) _seebatch_expected "$1" "$2" "$3" ;;
    --keep | --drop)
        echo in-check capture capture=0.. promotion promotion=0.. tactical tactical=0.. any-capture any-capture=0.. \
            score= abs-score= ply= result= pieces= phase= quiet
        ;;
    --column) echo fen= move= score= result= ply= ;;
    --moves) echo captures all ;;
    --notation) echo uci san ;;
    --format) "$1" "$2" --help 2>/dev/null | sed -n 's/^ *--format \([a-z|]*\).*/\1/p' | tr '|' '\n' ;;
    --threads | --part | --score-scale | --memory | --progress | --sample | --seed | --mark-score | --seconds | --cases | --bin | --ask | --examples | --nodes | --threshold | --values | --fen) ;;
    *) return 1 ;;
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
    *=) compopt -o nospace 2>/dev/null ;;
    esac
}

complete -F _seebatch seebatch
