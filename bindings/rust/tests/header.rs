//! The declarations of `raw` against `seebatch.h`. The C compiler judges: a file of static assertions is made of what
//! Rust compiled (sizes, offsets, values) and of what `src/raw.rs` says (types, signatures).

use seebatch::raw::*;
use std::fmt::Write;
use std::mem::{align_of, size_of, size_of_val, MaybeUninit};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const RAW: &str = include_str!("../src/raw.rs");

/// The C type of a Rust type in `raw.rs`, with `name` where a declarator has its name.
fn c_type(rust: &str, name: &str) -> String {
    let rust = rust.trim();
    if let Some(target) = rust.strip_prefix("*const ").or_else(|| rust.strip_prefix("*mut ")) {
        if target.starts_with('*') {
            let qualifier = if rust.starts_with("*const") { "const " } else { "" };
            return c_type(target, &format!("{}*{}", qualifier, name));
        }
        let (qualifier, star) = (if rust.starts_with("*const") { "const " } else { "" }, format!("*{}", name));
        let star = if target.starts_with('[') { format!("({})", star) } else { star };
        return qualifier.to_string() + &c_type(target, &star);
    }
    if let Some(array) = rust.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let (element, length) = array.rsplit_once(';').expect("an array has a length");
        return c_type(element, &format!("{}[{}]", name, length.trim()));
    }
    if rust == "seebatch_progress" {
        return format!("bool (*{})(void *, size_t, size_t)", name);
    }
    let plain = match rust {
        "u8" => "uint8_t",
        "u16" => "uint16_t",
        "u64" => "uint64_t",
        "i16" => "int16_t",
        "i32" => "int32_t",
        "usize" => "size_t",
        "bool" => "bool",
        "c_char" => "char",
        "c_int" => "int",
        "c_uint" => "unsigned",
        "c_void" => "void",
        own if own.starts_with("seebatch_") => own,
        other => panic!("no C type for {:?}", other),
    };
    format!("{} {}", plain, name)
}

/// Compiles assertions behind the header. Says what the compiler says.
fn compile(assertions: &str) -> Result<(), String> {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("header-{}-{}.c", std::process::id(), FILES.fetch_add(1, Relaxed));
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = format!("#include \"seebatch.h\"\n#include <assert.h>\n{}", assertions);
    std::fs::write(&file, text).expect("a file to compile");
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut words = cc.split_whitespace();
    let output = Command::new(words.next().expect("CC names a compiler"))
        .args(words)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", env!("SEEBATCH_INCLUDE")])
        .arg(&file)
        .output()
        .expect("a C compiler");
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[track_caller]
fn holds(assertions: &str) {
    if let Err(said) = compile(assertions) {
        panic!("{}", said);
    }
}

/// Pairs of name and type: `a: T, b: U`.
fn pairs(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let clean = lines.collect::<Vec<_>>().join("\n").replace("pub ", "").replace("r#", "");
    let fields = clean.split(',').map(str::trim).filter(|field| !field.is_empty());
    fields.map(|field| field.split_once(": ").expect("a name and a type")).map(|(a, b)| (a.into(), b.into())).collect()
}

/// What stands between two texts, wherever it does.
fn between<'t>(text: &'t str, opening: &'t str, closing: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(opening).skip(1).map(move |rest| rest.split(closing).next().unwrap_or(rest))
}

#[test]
fn signatures_are_those_of_the_header() {
    let mut text = String::new();
    let mut names = Vec::new();
    for function in between(RAW, "pub fn ", ";\n") {
        let (name, rest) = function.split_once('(').unwrap();
        let (parameters, result) = rest.rsplit_once(')').unwrap();
        let parameters: Vec<String> = pairs(parameters).iter().map(|(_, rust)| c_type(rust, "")).collect();
        let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let result = result.strip_prefix(" -> ").map_or("void ".into(), |rust| c_type(rust, ""));
        let pointer = format!("{} (*)({})", result, parameters);
        writeln!(text, "static_assert(_Generic(&{0}, {1}: 1, default: 0), \"{0}\");", name, pointer).unwrap();
        names.push(name.to_string());
    }
    holds(&text);
    assert!(compile(&text.replacen("int ", "char ", 1)).is_err(), "a wrong signature is not found");

    let header = std::fs::read_to_string(concat!(env!("SEEBATCH_INCLUDE"), "/seebatch.h")).unwrap();
    let declared = between(&header, "\nSEEBATCH_API ", "(").map(|text| text.rsplit([' ', '*']).next().unwrap());
    let missing: Vec<&str> = declared.filter(|name| !names.iter().any(|known| known == name)).collect();
    assert!(missing.is_empty(), "the header has these, raw.rs has not: {:?}", missing);
}

#[test]
fn constants_are_those_of_the_header() {
    let mut text = String::new();
    let mut names = Vec::new();
    for constant in between(RAW, "pub const ", ";\n") {
        let (name, value) = constant.split_once(": c_int = ").unwrap();
        writeln!(text, "static_assert({0} == {1}, \"{0}\");", name, value).unwrap();
        names.push(name);
    }
    holds(&text);
    let header = std::fs::read_to_string(concat!(env!("SEEBATCH_INCLUDE"), "/seebatch.h")).unwrap();
    let bare: String = header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect();
    let mut count = 0;
    for list in between(&bare, "enum", "}").filter_map(|list| list.split_once('{')) {
        for name in list.1.split(',').map(|item| item.split('=').next().unwrap().trim()).filter(|name| !name.is_empty())
        {
            assert!(names.contains(&name), "the header has {}, raw.rs has not", name);
            count += 1;
        }
    }
    assert_eq!(count, names.len(), "raw.rs has constants that the header has not");
}

/// Assertions on a struct. The pattern names all its fields, or does not compile.
macro_rules! layout {
    ($text:ident, $($name:ident { $($field:ident),* })*) => { $({
        let place = MaybeUninit::<$name>::zeroed();
        let value = unsafe { place.assume_init() };
        let $name { $($field: _),* } = value;
        let base = &value as *const _ as usize;
        let c = stringify!($name);
        writeln!($text, "static_assert(sizeof({0}) == {1} && _Alignof({0}) == {2}, \"{0}\");", c, size_of::<$name>(),
            align_of::<$name>()).unwrap();
        let body = between(RAW, concat!("pub struct ", stringify!($name), " {\n"), "\n}").next().unwrap();
        let types = pairs(body);
        $({
            let field = stringify!($field).trim_start_matches("r#");
            let rust = &types.iter().find(|(name, _)| name == field).unwrap().1;
            let offset = &value.$field as *const _ as usize - base;
            writeln!($text, "static_assert(offsetof({0}, {1}) == {2} && sizeof((({0} *)0)->{1}) == {3}, \"{0}.{1}\");", c,
                field, offset, size_of_val(&value.$field)).unwrap();
            writeln!($text, "static_assert(_Generic(&(({0} *)0)->{1}, {2}: 1, default: 0), \"{0}.{1}\");", c, field,
                c_type(&format!("*mut {}", rust), "")).unwrap();
        })*
    })* };
}

#[test]
fn structs_are_those_of_the_header() {
    let mut text = String::from("#include <stddef.h>\n");
    layout!(text,
        seebatch_error { text }
        seebatch_position {
            plane, white, stm, ep_square, castling_rook, shredder, reserved, halfmove_clock, fullmove_number
        }
        // Made by scripts/manual: members
        seebatch_rules { value, pins, promotions, promotion, en_passant, castling, order, en_passant_replies, reserved }
        // Up to here by scripts/manual
        seebatch_rules_field { name, words, n_words, offset }
        seebatch_pins { blockers, pinners }
        seebatch_batch { positions, n_positions, offsets, moves, pins }
        seebatch_job { threads, progress, user, done, threads_used }
        seebatch_capture { from, color, piece, stays, gain, best }
        seebatch_refusal { step, from, color, piece, reason, by }
        seebatch_trace { length, capture, has_next, next_gain, value, n_refusals, refusal }
        seebatch_text { at, length }
        seebatch_faults { count, first, status, error }
        seebatch_lines { n, consumed }
        seebatch_fault { position, r#move, error }
        seebatch_selftest_report {
            rounds, cases, answers, seed, kernel, function, forced_lanes, forced_tables, n_positions, n, index, stray,
            rules, position, r#move, threshold, expected, got
        }
    );
    text += "static_assert(sizeof(seebatch_status) == 4 && sizeof(seebatch_move) == 2, \"plain types\");\n";
    holds(&text);
    assert!(compile(&text.replacen("== 48", "== 47", 1)).is_err(), "a wrong size is not found");
    assert!(compile(&text.replacen("uint64_t", "int64_t", 1)).is_err(), "a wrong type is not found");
    let structs = between(&text, "&& _Alignof", "\n").count();
    assert_eq!(structs, between(RAW, "pub struct ", " {").count(), "a struct of raw.rs is not tested");
}

/// A value of a field in `raw.rs` has its place in the types of `rules.rs`.
#[test]
fn rules_have_every_value() {
    let groups = ["PINS_", "PROMOTE_", "PROMOTION_", "EN_PASSANT_", "CASTLING_", "LEAST_", "BEST_"];
    let values: Vec<&str> = between(RAW, "pub const SEEBATCH_", ":")
        .filter(|name| groups.iter().any(|group| name.starts_with(group)))
        .collect();
    assert!(values.len() >= 24, "{:?}", values);
    for name in values {
        let place = format!("= SEEBATCH_{},", name);
        assert!(include_str!("../src/rules.rs").contains(&place), "rules.rs has no value '{}'", place);
    }
}

#[test]
fn versions_are_one() {
    assert_eq!(seebatch::version(), env!("CARGO_PKG_VERSION"));
    holds(&format!("static_assert(sizeof(SEEBATCH_VERSION) == sizeof(\"{0}\"), \"{0}\");", env!("CARGO_PKG_VERSION")));
}
