#!/bin/sh
# Dispatch for real: the tool as another processor sees it, emulated by qemu. Without AVX2 the library must run its scalar
# kernel, say so, and refuse avx2; with AVX2 it must run that kernel. The answers are those of this machine, byte for byte.
#
# test_emulated.sh without-avx2|with-avx2 TOOL PROBE POSITIONS...
#
# PROBE ends with 0 where there is AVX2, asked of the compiler's run-time library and not of ours. Ends with 77 (skipped)
# where qemu-x86_64 is missing, or cannot emulate AVX2.
set -u
mode=$1
tool=$2
probe=$3
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
unset SEEBATCH_KERNEL
check() {
    if [ "$2" -eq 0 ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1"
        failed=1
    fi
}

if ! command -v qemu-x86_64 >/dev/null; then
    echo "SKIPPED: emulated $mode: there is no qemu-x86_64 here (Debian: qemu-user)"
    exit 77
fi
case $mode in
without-avx2) cpu=Nehalem kernel=scalar ;;
with-avx2) cpu=Haswell kernel=avx2 ;;
*) echo "test_emulated.sh: unknown mode $mode" >&2 && exit 2 ;;
esac
emulate() {
    qemu-x86_64 -cpu "$cpu" "$@"
}

emulate "$probe" 2>/dev/null
has_avx2=$?
if [ "$mode" = with-avx2 ] && [ $has_avx2 -ne 0 ]; then
    echo "SKIPPED: emulated $mode: $(qemu-x86_64 --version | head -n 1) does not emulate AVX2 (7.2 and later do)"
    exit 77
fi
if [ "$mode" = without-avx2 ] && [ $has_avx2 -ne 1 ]; then
    echo "FAILED: the probe does not see a $cpu as a processor without AVX2"
    exit 1
fi

emulate "$tool" info >"$work/info" 2>"$work/errors"
check "info runs on a $cpu" $?
cat "$work/info"
if [ "$mode" = with-avx2 ]; then
    avx2=available
else
    avx2='not available'
fi
grep -qE "^ *avx2 +$avx2 " "$work/info"
check "info lists avx2 as $avx2" $?
grep -qE '^ *scalar +available ' "$work/info"
check "info lists scalar as available" $?
grep -qE "^kernel +$kernel:" "$work/info"
check "info names $kernel as the kernel that runs" $?

cat "$@" >"$work/positions"
for rules in swap promotions; do
    "$tool" eval --rules $rules --kernel scalar "$work/positions" >"$work/native"
    check "$rules: here, by the scalar kernel" $?
    emulate "$tool" eval --rules $rules "$work/positions" >"$work/emulated" 2>"$work/errors"
    check "$rules: on a $cpu" $?
    cmp "$work/native" "$work/emulated"
    check "$rules: $(wc -l <"$work/native") values are the same" $?
    test "$(wc -l <"$work/native")" -ge 5000
    check "$rules: and there are enough of them" $?
done

emulate "$tool" eval --rules swap --kernel avx2 "$work/positions" >"$work/emulated" 2>"$work/errors"
status=$?
if [ "$mode" = with-avx2 ]; then
    check "--kernel avx2 is taken" $status
else
    test $status -eq 2
    check "--kernel avx2 ends with 2 (it ended with $status)" $?
    cat "$work/errors"
    grep -v 'qemu' "$work/errors" | grep -q 'available.*scalar'
    check "the error lists the kernels that are available" $?
    test ! -s "$work/emulated"
    check "nothing is printed" $?
    SEEBATCH_KERNEL=avx2 emulate "$tool" eval "$work/positions" >"$work/emulated" 2>"$work/errors"
    status=$?
    test $status -eq 2
    check "SEEBATCH_KERNEL=avx2 ends with 2 (it ended with $status)" $?
fi
exit $failed
