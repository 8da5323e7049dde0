#!/bin/sh
# Stands before a compiler where the library's code is not what is tested, because the kernels alone take half a minute to
# compile: for seebatch.c and for some of the library's sources it gives the objects of a build by CMake, once the compiler has
# read the file with the options that it was asked with. Everything else is compiled.
#
# given_objects.sh BUILD SOURCES COMPILER ARGUMENT...
#
# SOURCES says which: a folder of src/dispatch/kernels.txt; "every", for all kernels; or "all", for the whole library.
set -eu
build=$1
sources=$2
shift 2
source='' object='' before=''
for each; do
    [ "$before" != -o ] || object=$each
    case $each in
    *.c) source=$each ;;
    esac
    before=$each
done
folder=${source%/*} folder=${folder##*/}
case $source,$sources in
*/seebatch.c,* | *,"$folder" | *,all) ;;
*,every) grep -q "^$folder " "$(dirname "$0")/../../src/dispatch/kernels.txt" || exec "$@" ;;
*) exec "$@" ;;
esac
case $source in
*/seebatch.c)
    "$@" -fsyntax-only
    exec ld -r -o "$object" --whole-archive "$build/libseebatch.a"
    ;;
esac
made=$build/CMakeFiles/seebatch_objects.dir/src/$folder/${source##*/}.o
[ -e "$made" ] || exec "$@" # a kernel for another machine, or a file that is not the library's
"$@" -fsyntax-only
exec cp "$made" "$object"
