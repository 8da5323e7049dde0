# What the scripts of this folder share: a directory for their work, and how they fail and find a C++ compiler.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fail WHAT [LOG]: ends the test, after the end of a log.
fail() {
    echo "FAILED: $1"
    [ $# -lt 2 ] || tail -n 20 "$2" | sed 's/^/    /'
    exit 1
}

# cxx_of C_COMPILER: the C++ compiler beside it; the same name if there is none.
cxx_of() {
    case $1 in
    *clang*) echo "$1" | sed 's/clang/clang++/' ;;
    *gcc*) echo "$1" | sed 's/gcc/g++/' ;;
    *) echo "$1" | sed 's/cc$/c++/' ;;
    esac
}
