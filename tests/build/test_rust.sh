#!/bin/sh
# The Rust crate: its tests and the examples of its documentation, against the tool's answers; once more with the C code
# under the address sanitizer; without the standard library; packed, with the amalgamation of now, and used by an empty
# project that has no network. The library's code comes from builds by CMake.
#
# test_rust.sh PROJECT TOOL FOLDER BUILD [SANITIZED_BUILD]
#
# FOLDER is for what cargo builds; the second build has asserts, and the address and undefined-behaviour sanitizers. Without it,
# the tests that need it are left out. CARGO
# names a cargo; otherwise it is Debian's, or the first in PATH. Ends with 77 where there is none.
set -u
project=$1
tool=$2

. "$(dirname "$0")/common.sh"
folder=$(folder_at "$3")
build=$4
sanitized=${5:-}
unset SEEBATCH_KERNEL CC CFLAGS AR
if [ -z "${CARGO:-}" ]; then
    CARGO=/usr/bin/cargo
    [ -x "$CARGO" ] || CARGO=$(command -v cargo)
fi
if ! "$CARGO" --version >/dev/null 2>&1; then
    echo 'SKIPPED: no cargo (Debian: rustc, cargo)'
    exit 77
fi
# A newer rustc may stand first in PATH. Its clippy warns of more.
all=$PATH
PATH=$(dirname "$CARGO"):$PATH
export CARGO PATH CARGO_NET_OFFLINE=true CARGO_TARGET_DIR="$folder"
echo "$("$CARGO" --version), $(rustc --version)"
target=$(rustc -vV | sed -n 's/^host: //p')
crate=$project/bindings/rust
cd "$crate" || exit 1

# cargo COMMAND WHAT...: fails with the end of what it said.
cargo_does() {
    "$CARGO" "$@" >"$work/log" 2>&1 || fail "cargo $*" "$work/log"
    grep -h '^test result' "$work/log" | sort | uniq -c | sed 's/^ *[0-9]* /ok: /'
}

# ---- The tests -------------------------------------------------------------------------------------------------------

# given BUILD: a compiler that takes the library's code from that build.
given() {
    echo "sh $project/tests/build/given_objects.sh $1 all cc"
}

SEEBATCH_TEST_TOOL=$tool CC=$(given "$build") cargo_does test --locked --features conditions
for test in values_of_the_tool positions_of_the_tool conditions_of_the_tool; do
    grep -q "$test ... ok" "$work/log" || fail "$test: the tool was not compared" "$work/log"
done
grep -q 'Doc-tests seebatch' "$work/log" || fail 'the examples were not run' "$work/log"
grep -q '^warning' "$work/log" && fail 'there are warnings' "$work/log"

if [ -n "$sanitized" ]; then
    # The C code with asserts and sanitizers, whose libraries have to come first; --target keeps the linker from the build script.
    # shellcheck disable=SC2016 # for the script
    printf '#!/bin/sh\nexec cc -Wl,--no-as-needed -lasan -lubsan "$@"\n' >"$work/linker"
    chmod +x "$work/linker"
    CC=$(given "$sanitized") cargo_does test --locked --tests --target "$target" \
        --config "target.$target.linker='$work/linker'" \
        -- --skip small_stacks_end_cleanly # sanitizers need stack of their own, and end a program by a status
    echo 'ok: the sanitizers'
fi

# ---- Without the standard library ------------------------------------------------------------------------------------

# A compiler of an empty file: what Rust makes of the crate does not depend on the C code.
cat >"$work/empty" <<'SH'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
exec cc -x c -c /dev/null -o "$2"
SH
chmod +x "$work/empty"
for features in '' alloc; do
    CC=$work/empty cargo_does build --locked --no-default-features --features "$features"
done
echo 'ok: no_std, with alloc and without'

if clippy=$(PATH=$all command -v cargo-clippy); then
    for features in '' '--no-default-features' '--features conditions'; do
        # shellcheck disable=SC2086 # a list of words
        PATH=$all CC=$work/empty CARGO_TARGET_DIR="$folder/clippy" "$(dirname "$clippy")/cargo" clippy --locked $features \
            -- -D warnings >"$work/log" 2>&1 || fail "cargo clippy $features" "$work/log"
    done
    echo 'ok: clippy'
else
    echo 'SKIPPED: no cargo-clippy (Debian: rust-clippy)'
fi

# ---- Other machines: what the build script makes, for there is no Rust library for them here --------------------------

script=$(ls -t "$folder"/debug/build/seebatch-*/build-script-build | head -n 1)

# Of a small file: the library for these machines has tests of its own.
mkdir -p "$work/small/src"
echo 'int seebatch_small;' >"$work/small/src/seebatch.c"

# cross TARGET MACHINE SETTING...: the object is for that machine, as objdump or readelf name it.
cross() {
    triple=$1 machine=$2
    shift 2
    mkdir -p "$work/$triple"
    env "$@" CARGO_MANIFEST_DIR="$work/small" OUT_DIR="$work/$triple" HOST="$target" TARGET="$triple" \
        PROFILE=release "$script" >"$work/log" 2>&1 || fail "the build script for $triple" "$work/log"
    objdump -f "$work/$triple/seebatch_0.o" 2>/dev/null | grep -q "$machine" ||
        readelf -h "$work/$triple/seebatch_0.o" 2>/dev/null | grep -q "$machine" || fail "$triple: no object for $machine"
    ls "$work/$triple"/*seebatch.* | grep -q -e '\.a$' -e '\.lib$' || fail "$triple: no library"
    echo "ok: $triple $*"
}

if ! command -v aarch64-linux-gnu-gcc >/dev/null && clang --print-targets 2>/dev/null | grep -q '^ *aarch64 '; then
    # By another compiler, under the name that the build script looks for.
    mkdir "$work/bin"
    printf '#!/bin/sh\nexec clang --target=aarch64-linux-gnu "$@"\n' >"$work/bin/aarch64-linux-gnu-gcc"
    printf '#!/bin/sh\nexec ar "$@"\n' >"$work/bin/aarch64-linux-gnu-ar"
    chmod +x "$work"/bin/aarch64-linux-gnu-*
    PATH=$work/bin:$PATH
fi
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    cross aarch64-unknown-linux-gnu AArch64
    cross aarch64-unknown-linux-gnu AArch64 CC_aarch64_unknown_linux_gnu='aarch64-linux-gnu-gcc -pipe' CC=false
    cross aarch64-unknown-linux-gnu AArch64 TARGET_CC=clang
else
    echo 'SKIPPED: the crate for 64-bit ARM: no aarch64-linux-gnu-gcc, and no clang (Debian: clang)'
fi
# For musl, distributions have a wrapper of the machine's gcc without an archiver, under one of two names.
case $target in
*-linux-gnu)
    for name in musl-gcc "${target%%-*}-linux-musl-gcc"; do
        mkdir -p "$work/$name"
        printf '#!/bin/sh\nPATH="%s" exec cc "$@"\n' "$PATH" >"$work/$name/$name"
        printf '#!/bin/sh\nPATH="%s" exec ar "$@"\n' "$PATH" >"$work/$name/ar"
        chmod +x "$work/$name"/*
        cross "$(echo "$target" | sed 's/gnu$/musl/')" "$(objdump -f "$script" | sed -n 's/.*file format //p')" PATH="$work/$name"
    done
    ;;
esac
command -v s390x-linux-gnu-gcc >/dev/null && cross s390x-unknown-linux-gnu 'IBM S/390'
command -v x86_64-w64-mingw32-gcc >/dev/null && cross x86_64-pc-windows-gnu pe-x86-64
if env CC=false OUT_DIR="$work" CARGO_MANIFEST_DIR="$crate" HOST="$target" TARGET="$target" PROFILE=release \
    "$script" >/dev/null 2>"$work/log" || ! grep -q 'set CC to a C compiler' "$work/log"; then
    fail 'a compiler that fails is not reported' "$work/log"
fi

# ---- Targets without a C library -------------------------------------------------------------------------------------

# bare TARGET: the whole library, of the real sources and the headers of the crate. What it leaves undefined has to be what every
# Rust program has on such a target (the compiler's own functions have names with __).
bare() {
    rm -rf "$work/bare" && mkdir "$work/bare"
    env CC=clang CFLAGS=-O1 CARGO_MANIFEST_DIR="$crate" OUT_DIR="$work/bare" HOST="$target" TARGET="$1" PROFILE=release NUM_JOBS=2 \
        CARGO_FEATURE_SIMD=1 CARGO_FEATURE_AVX512=1 "$script" >"$work/log" 2>&1 || fail "the build script for $1" "$work/log"
    "$nm" -u "$work/bare/libseebatch.a" 2>/dev/null | awk '$1 == "U" { print $2 }' | grep -v '^seebatch_\|^__' | sort -u >"$work/undefined"
    printf '%s\n' memcmp memcpy memmove memset strlen | comm -23 "$work/undefined" - >"$work/log"
    [ ! -s "$work/log" ] || fail "$1: the library needs functions that Rust does not have there" "$work/log"
    echo "ok: $1, without headers of a C library"
}

nm=$(command -v llvm-nm || ls /usr/bin/llvm-nm-* 2>/dev/null | head -n 1)
if clang --version >/dev/null 2>&1 && [ -n "$nm" ]; then
    for triple in wasm32-unknown-unknown thumbv7em-none-eabi x86_64-unknown-none; do
        bare "$triple"
    done
else
    echo 'SKIPPED: targets without a C library: no clang, or no llvm-nm (Debian: clang, llvm)'
fi
if [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ] && node --version >/dev/null 2>&1; then
    mkdir -p "$work/module/src"
    cat >"$work/module/Cargo.toml" <<TOML
[package]
name = "module"
version = "0.1.0"
edition = "2021"
[lib]
crate-type = ["cdylib"]
[profile.release]
panic = "abort"
[dependencies]
seebatch = { path = "$crate", default-features = false }
TOML
    cat >"$work/module/src/lib.rs" <<'RUST'
#![no_std]
use seebatch::{Position, Rules};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[no_mangle]
pub extern "C" fn value() -> i32 {
    let fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -";
    Position::from_fen(fen)
        .and_then(|position| Rules::SWAP.value(&position, position.read_uci("d3e5")?))
        .map_or(-1, i32::from)
}
RUST
    (cd "$work/module" && CC=clang CARGO_TARGET_DIR="$folder/module" "$CARGO" build --release --target wasm32-unknown-unknown) \
        >"$work/log" 2>&1 || fail 'a no_std program for wasm32-unknown-unknown' "$work/log"
    said=$(node -e 'WebAssembly.instantiate(require("fs").readFileSync(process.argv[1]), {}).then(
        (made) => console.log(made.instance.exports.value()))' "$folder/module/wasm32-unknown-unknown/release/module.wasm")
    [ "$said" = -225 ] || fail "a no_std program for wasm32-unknown-unknown says '$said', expected -225"
    echo 'ok: a no_std program for wasm32-unknown-unknown, in node'
else
    echo 'SKIPPED: a no_std program: no node, or no Rust for wasm32-unknown-unknown (Debian: nodejs, libstd-rust-dev-wasm32)'
fi

# ---- The recipe for an engine in Rust --------------------------------------------------------------------------------

# Its blocks of code, in an engine that compares every legal move of games with the crate.
mkdir -p "$work/engine/src"
awk -v folder="$work/engine" '
    !inside && /^#/ { below = $0 == "### An engine in Rust" }
    /^```/ { inside = !inside; if (inside && below) file = folder "/" ($0 == "```c" ? "src/see.c" : n++ ? "src/see.rs" : "build.rs"); next }
    inside && below { print >file }' "$project/docs/engine-recipes.md"
cp "$project/include/seebatch_see.h" "$work/engine/src"
cat >"$work/engine/Cargo.toml" <<TOML
[package]
name = "engine"
version = "0.1.0"
edition = "2021"
[dependencies]
seebatch = { path = "$crate" }
TOML
cat >"$work/engine/src/main.rs" <<'RUST'
mod see;
use see::{see, Board, Pins, Question, Special};
use seebatch::{Color, Piece, Position, Rules};

fn main() {
    let mut answers = 0;
    let types = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    for line in std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap().lines() {
        let position = Position::from_fen(line).unwrap();
        let boards = types.map(|piece| position.pieces_of_type(piece));
        let colors = [Color::White, Color::Black].map(|color| position.pieces_of_color(color));
        let stm = position.side_to_move() as usize;
        let enemy = [Color::Black, Color::White][stm];
        let is_attacked = |&square: &u8| position.attackers(square, enemy, position.occupied()) != 0;
        let attacked = (0..64).filter(is_attacked).fold(0, |set, square| set | 1 << square);
        let found = Rules::RECKLESS.find_pins(&position).0;
        let pins = Pins { blockers: found.blockers, pinners: found.pinners };
        let type_on = |square| position.piece_on(square).map_or(6, |(_, piece)| piece as u8);
        for &each in position.legal_moves().iter() {
            let (piece, captured) = (type_on(each.from()), type_on(each.to()));
            let special = match piece {
                0 if captured == 6 && each.from() % 8 != each.to() % 8 => Special::EnPassant,
                5 if colors[stm] >> each.to() & 1 == 1 || each.from().abs_diff(each.to()) == 2 => Special::Castling,
                _ => Special::Normal,
            };
            let promotion = each.promotion().map_or(0, |piece| piece as u8);
            let question = Question { from: each.from(), to: each.to(), piece, captured, promotion, special };
            let threshold = [-100, 0, 1, 100][answers % 4];
            let expected = Rules::RECKLESS.ge(&position, each, threshold).unwrap();
            for (attacked, pins) in [(None, None), (Some(&attacked), Some(&pins))] {
                let board = Board { types: &boards, colors: &colors, stm, attacked, pins };
                assert!(see(&board, &question, threshold.into()) == expected, "{} {}", position, each);
            }
            answers += 1;
        }
    }
    println!("{}", answers);
}
RUST
# The crate's compiler takes the library's code from the build, the engine's is cc.
(cd "$work/engine" && env "CC_$(echo "$target" | tr - _)=$(given "$build")" CC=cc CARGO_TARGET_DIR="$folder/engine" "$CARGO" run --release --quiet -- \
    "$project/tests/data/games.fen") >"$work/said" 2>"$work/log" || fail 'the recipe for an engine in Rust' "$work/log"
[ "$(cat "$work/said")" -gt 10000 ] || fail 'the recipe for an engine in Rust compared few moves' "$work/said"
echo "ok: the recipe for an engine in Rust, $(cat "$work/said") moves"

# ---- Packed ----------------------------------------------------------------------------------------------------------

CC=$work/empty "$project/scripts/rust" "$work/packed" >"$work/log" 2>&1 || fail "scripts/rust ends with $?" "$work/log"
version=$(sed -n 's/^#define SEEBATCH_VERSION "\(.*\)"/\1/p' "$project/include/seebatch.h")
mkdir "$work/vendor"
tar -x -C "$work/vendor" -f "$work/packed/seebatch-$version.crate" || fail "no seebatch-$version.crate"
packed=$work/vendor/seebatch-$version
"$project/scripts/amalgamate" --conditions "$work/current"
for file in seebatch.c seebatch.h seebatch_conditions.c; do
    cmp "$work/current/$file" "$packed/src/$file" || fail "the $file of the package is not the current one"
done
cmp "$project/LICENSE" "$packed/LICENSE" || fail 'the licence of the package is another one'
# As `cargo vendor` leaves it.
echo '{"files":{},"package":null}' >"$packed/.cargo-checksum.json"
mkdir -p "$work/user/src" "$work/user/.cargo"
cat >"$work/user/.cargo/config.toml" <<TOML
[source.crates-io]
replace-with = "vendor"
[source.vendor]
directory = "$work/vendor"
TOML
cat >"$work/user/Cargo.toml" <<TOML
[package]
name = "user"
version = "0.1.0"
edition = "2021"
[dependencies]
seebatch = { version = "$version", features = ["conditions"] }
TOML
cat >"$work/user/src/main.rs" <<'RUST'
use seebatch::{Position, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position: Position = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -".parse()?;
    let capture = position.read_san("Rxe5")?;
    println!("{} {}", capture, Rules::default().value(&position, capture)?);
    assert!(!seebatch::filter("quiet", &Rules::default())?.accepts(&seebatch::Record::new(position))?);
    Ok(())
}
RUST
cd "$work/user" || exit 1
# Without Python and the clone, as an engine has it; the network is cut off where that is allowed.
alone=''
unshare -rn true 2>/dev/null && alone='unshare -rn'
CC=$(given "$build") CARGO_TARGET_DIR="$work/user/target" $alone "$CARGO" run --release --quiet >"$work/said" 2>"$work/log" ||
    fail 'the packed crate in an empty project' "$work/log"
[ "$(cat "$work/said")" = 'e1e5 100' ] || fail 'the packed crate says something else' "$work/said"
echo "ok: seebatch-$version.crate, from an empty project ${alone:+without network}"
