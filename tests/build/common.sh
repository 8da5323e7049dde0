# What the scripts of this folder share: a directory for their work, how they fail and are skipped, and what they look up.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SEEBATCH_KERNEL
# Empty unless continuous integration asks for -Werror: a newer compiler may warn about more, which fails nothing.
werror=${SEEBATCH_TEST_WERROR:-}

# fail WHAT [LOG]: ends the test, after the end of a log.
fail() {
    echo "FAILED: $1"
    [ $# -lt 2 ] || tail -n 20 "$2" | sed 's/^/    /'
    exit 1
}

# skip WHY: ends the test, which ctest then reports as skipped.
skip() {
    echo "SKIPPED: $1"
    exit 77
}

# folder_at PATH: makes a folder where there is none, and prints its whole path.
folder_at() {
    mkdir -p "$1" && (cd "$1" && pwd)
}

# declared PROJECT [HEADER]: the functions that seebatch.h, or another header, declares.
declared() {
    sed -n 's/^SEEBATCH_API .*[ *]\(seebatch_[a-z0-9_]*\)(.*/\1/p' "$1/include/${2:-seebatch.h}" | sort
}

# cxx_of C_COMPILER: the C++ compiler beside it; the same name if there is none.
cxx_of() {
    case $1 in
    *clang*) echo "$1" | sed 's/clang/clang++/' ;;
    *gcc*) echo "$1" | sed 's/gcc/g++/' ;;
    *) echo "$1" | sed 's/cc$/c++/' ;;
    esac
}

# first_lines PROJECT: the first line of each way to use seebatch, from the table of the README.
first_lines() {
    sed -n 's/^|.*| `\(.*\)` |.*|$/\1/p' "$1/README.md" | grep '\.\./seebatch'
}
