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

. "$(dirname "$0")/common.sh"
command -v qemu-x86_64 >/dev/null || skip "emulated $mode: there is no qemu-x86_64 here (Debian: qemu-user)"
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
    skip "emulated $mode: $(qemu-x86_64 --version | head -n 1) does not emulate AVX2 (7.2 and later do)"
fi
[ "$mode" = with-avx2 ] || [ $has_avx2 -eq 1 ] || fail "the probe does not see a $cpu as a processor without AVX2"

emulate "$tool" info >"$work/info" 2>"$work/errors" || fail "info ends with $? on a $cpu" "$work/errors"
cat "$work/info"
avx2=available
[ "$mode" = with-avx2 ] || avx2='not available'
grep -qE "^ *avx2 +$avx2 " "$work/info" || fail "info does not list avx2 as $avx2"
grep -qE '^ *scalar +available ' "$work/info" || fail "info does not list scalar as available"
grep -qE "^kernel +$kernel:" "$work/info" || fail "info does not name $kernel as the kernel that runs"

cat "$@" >"$work/positions"
for rules in swap promotions; do
    "$tool" eval --rules $rules --kernel scalar "$work/positions" >"$work/native" || fail "$rules: it ends with $? here"
    emulate "$tool" eval --rules $rules "$work/positions" >"$work/emulated" 2>"$work/errors" || fail "$rules: on a $cpu" "$work/errors"
    cmp "$work/native" "$work/emulated" || fail "$rules: other values"
    test "$(wc -l <"$work/native")" -ge 5000 || fail "$rules: too few values"
done

# refused COMMAND...: it ends with 2, names the kernels that are available, and prints nothing.
refused() {
    "$@" >"$work/emulated" 2>"$work/errors"
    [ $? -eq 2 ] || fail "$*: does not end with 2" "$work/errors"
    grep -v 'qemu' "$work/errors" | grep -q 'available.*scalar' || fail "$*: does not list the kernels" "$work/errors"
    test ! -s "$work/emulated" || fail "$*: prints something"
}
if [ "$mode" = with-avx2 ]; then
    emulate "$tool" eval --rules swap --kernel avx2 "$work/positions" >"$work/emulated" 2>"$work/errors" ||
        fail "--kernel avx2" "$work/errors"
else
    refused emulate "$tool" eval --rules swap --kernel avx2 "$work/positions"
    SEEBATCH_KERNEL=avx2
    export SEEBATCH_KERNEL
    refused emulate "$tool" eval "$work/positions"
fi
echo "ok: a $cpu runs the kernel $kernel, and the answers are those of this machine"
