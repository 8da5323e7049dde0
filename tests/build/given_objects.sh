#!/bin/sh
# Stands before a compiler where the code of kernels is not what is tested, and takes half a minute to compile: for seebatch.c,
# and for the sources of some kernels, it gives the objects of a build by CMake, once the compiler has read the file with
# the options that it was asked with. All else is compiled.
#
# given_objects.sh BUILD KERNEL COMPILER ARGUMENT...
#
# KERNEL is a folder of src/dispatch/kernels.txt, or "every".
set -eu
build=$1
kernel=$2
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
case $source,$kernel in
*/seebatch.c,* | *,"$folder") ;;
*,every) grep -q "^$folder " "$(dirname "$0")/../../src/dispatch/kernels.txt" || exec "$@" ;;
*) exec "$@" ;;
esac
"$@" -fsyntax-only
case $source in
*/seebatch.c) exec ld -r -o "$object" --whole-archive "$build/libseebatch.a" ;;
*) exec cp "$build/CMakeFiles/seebatch_objects.dir/src/${source##*/src/}.o" "$object" ;;
esac
