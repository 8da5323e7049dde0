//! Compiles the C library, one file, and tells cargo to link it; for the feature `conditions` a second one.
//!
//! A packed crate has `src/seebatch.c` and `src/seebatch_conditions.c`, which `scripts/rust` has put there. In a clone of
//! seebatch the files are made anew from the sources of the library, so they are never older than these.
//!
//! `CC`, `CFLAGS` and `AR` are read as crates that wrap C read them: `CC_<target>` comes first (the target as it is, or
//! with `_` for `-` and `.`), then `TARGET_CC` or `HOST_CC`, then `CC`. `CC` may have arguments.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(variable("OUT_DIR"));
    let folder = amalgamation(&out);
    let target = Target::read();
    let library = out.join(if target.is_msvc() { "seebatch.lib" } else { "libseebatch.a" });
    let mut names = vec!["seebatch"];
    if has("CONDITIONS") {
        if target.is_freestanding() {
            stop("the feature conditions needs the C library of an operating system");
        }
        names.push("seebatch_conditions");
    }

    let mut archiver = target.archiver();
    archiver.arg("crs").arg(&library);
    for name in names {
        let object = out.join(format!("{}.o", name));
        let mut compiler = target.compiler();
        compiler.arg("-c").arg(folder.join(format!("{}.c", name))).arg("-o").arg(&object);
        run(compiler, "set CC to a C compiler: gcc, or clang");
        archiver.arg(&object);
    }
    let _ = std::fs::remove_file(&library);
    run(archiver, "set AR to an archiver, such as ar or llvm-ar");

    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=seebatch");
    if target.has("linux") && !target.is_freestanding() {
        println!("cargo:rustc-link-lib=pthread");
    }
    // For crates that compile C of their own: DEP_SEEBATCH_INCLUDE. For the tests of this one: SEEBATCH_INCLUDE.
    println!("cargo:include={}", folder.display());
    println!("cargo:rustc-env=SEEBATCH_INCLUDE={}", folder.display());
}

/// Whether a feature is asked for.
fn has(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature)).is_some()
}

/// The folder that has the C files and seebatch.h.
fn amalgamation(out: &Path) -> PathBuf {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let packed = here.join("src");
    if packed.join("seebatch.c").exists() {
        println!("cargo:rerun-if-changed=src/seebatch.c");
        println!("cargo:rerun-if-changed=src/seebatch.h");
        println!("cargo:rerun-if-changed=src/seebatch_conditions.c");
        return packed;
    }
    let clone = here.join("../..");
    for part in ["src", "include", "scripts/amalgamate", "CMakeLists.txt", "LICENSE"] {
        println!("cargo:rerun-if-changed={}", clone.join(part).display());
    }
    let mut amalgamate = Command::new(clone.join("scripts/amalgamate"));
    if has("CONDITIONS") {
        println!("cargo:rerun-if-changed={}", clone.join("io").display());
        amalgamate.arg("--conditions");
    }
    amalgamate.arg(out);
    run(amalgamate, "src/seebatch.c is not in this package, so a clone of seebatch and Python 3 are needed to make it");
    out.to_path_buf()
}

struct Target {
    name: String,
    host: String,
}

impl Target {
    fn read() -> Target {
        Target { name: variable("TARGET"), host: variable("HOST") }
    }

    fn has(&self, word: &str) -> bool {
        self.name.split('-').any(|part| part == word)
    }

    fn is_msvc(&self) -> bool {
        self.has("msvc")
    }

    /// Whether there is no operating system below the program.
    fn is_freestanding(&self) -> bool {
        self.has("none") || (self.name.starts_with("wasm") && !self.name.contains("wasi"))
    }

    /// What stands before `-gcc` and `-ar` in the names of a cross compiler, where there usually is one.
    fn gnu_prefix(&self) -> Option<String> {
        let parts: Vec<&str> = self.name.split('-').collect();
        let machine = match parts[0] {
            "i586" => "i686",
            name if name.starts_with("riscv64") => "riscv64",
            name if name.starts_with("armv7") || name.starts_with("thumbv7") => "arm",
            name => name,
        };
        if self.name.ends_with("-windows-gnu") {
            return Some(format!("{}-w64-mingw32", machine));
        }
        match parts.as_slice() {
            [_, .., "linux", system] if self.name != self.host => Some(format!("{}-linux-{}", machine, system)),
            _ => None,
        }
    }

    /// The compiler with all its options but the files.
    fn compiler(&self) -> Command {
        let mut words = match self.setting("CC") {
            Some(text) => words_of(&text),
            None if self.name == self.host && !self.is_msvc() && !self.has("windows") => vec!["cc".to_string()],
            None => vec![self.gnu_prefix().map_or("clang".to_string(), |prefix| prefix + "-gcc")],
        };
        let flags = words_of(&self.setting("CFLAGS").unwrap_or_default());
        let mut command = Command::new(words.remove(0));
        command.args(&words);
        let names_target = words.iter().chain(&flags).any(|word| word.starts_with("--target") || word == "-target");
        if (self.name != self.host || self.is_msvc()) && !names_target && is_clang(&command) {
            command.arg(format!("--target={}", self.name.replacen("riscv64gc", "riscv64", 1)));
        }
        // The same in all profiles: without optimisation, lanes are slower than no lanes. CFLAGS come later and win, -g too,
        // which would double the time.
        command.args(["-std=c11", "-O3"]);
        if variable("PROFILE") == "release" {
            command.arg("-DNDEBUG");
        }
        if self.has("windows") {
            // gcc bug 54412: vectors on a stack that is less aligned than gcc believes.
            if self.has("gnu") && !is_clang(&command) {
                command.arg("-Wa,-muse-unaligned-vector-move");
            }
        } else {
            command.arg("-fPIC");
        }
        // Each function by itself, so that the linker leaves out what a program does not call.
        command.args(["-ffunction-sections", "-fdata-sections"]);
        if !has("SIMD") {
            command.arg("-DSEEBATCH_NO_KERNELS");
        } else if !has("AVX512") {
            command.arg("-DSEEBATCH_NO_AVX512");
        }
        if self.is_freestanding() {
            command.args(["-DSEEBATCH_FREESTANDING", "-DSEEBATCH_NO_THREADS"]);
        }
        command.args(&flags);
        command
    }

    fn archiver(&self) -> Command {
        let text = self.setting("AR").unwrap_or_else(|| match self.gnu_prefix() {
            Some(prefix) if self.setting("CC").is_none() => prefix + "-ar",
            _ if self.is_msvc() || self.name.starts_with("wasm") => "llvm-ar".to_string(),
            _ => "ar".to_string(),
        });
        let words = words_of(&text);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// An environment variable of the compiler's for this target; blank ones count as unset.
    fn setting(&self, name: &str) -> Option<String> {
        let side = if self.name == self.host { "HOST" } else { "TARGET" };
        let names = [
            format!("{}_{}", name, self.name),
            format!("{}_{}", name, self.name.replace(['-', '.'], "_")),
            format!("{}_{}", side, name),
            name.to_string(),
        ];
        for name in &names {
            println!("cargo:rerun-if-env-changed={}", name);
        }
        names.iter().filter_map(|name| env::var(name).ok()).find(|value| !value.trim().is_empty())
    }
}

fn words_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

/// Whether a compiler says that it is clang; its arguments matter where it stands behind `ccache` or the like.
fn is_clang(command: &Command) -> bool {
    let output = Command::new(command.get_program()).args(command.get_args()).arg("--version").output();
    output.map_or(false, |output| String::from_utf8_lossy(&output.stdout).contains("clang"))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| stop(&format!("cargo has not set {}", name)))
}

fn run(mut command: Command, advice: &str) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => stop(&format!("{:?} ended with {}; {}", command, status, advice)),
        Err(error) => stop(&format!("{:?} could not be run: {}; {}", command, error, advice)),
    }
}

fn stop(sentence: &str) -> ! {
    eprintln!("seebatch: {}", sentence);
    exit(1);
}
