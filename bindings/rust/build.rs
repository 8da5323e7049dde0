//! Compiles the C library and tells cargo to link it.
//!
//! A packed crate has `src/seebatch.c` and `src/seebatch_conditions.c`, which `scripts/rust` has put there. In a clone of
//! seebatch the sources of the library are compiled one by one, as CMakeLists.txt and src/dispatch/kernels.txt list them.
//!
//! `CC`, `CFLAGS` and `AR` are read as crates that wrap C read them: `CC_<target>` comes first (the target as it is, or
//! with `_` for `-` and `.`), then `TARGET_CC` or `HOST_CC`, then `CC`. `CC` may have arguments.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file to compile, and the options that it needs besides the common ones.
struct Unit {
    file: PathBuf,
    options: Vec<String>,
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(variable("OUT_DIR"));
    let target = Target::read();
    let library = out.join(if target.is_msvc() { "seebatch.lib" } else { "libseebatch.a" });
    if has("CONDITIONS") && target.is_freestanding() {
        stop("the feature conditions needs the C library of an operating system");
    }
    let (folder, units) = packed().unwrap_or_else(|| clone(&out, &target));
    let objects: Vec<PathBuf> = (0..units.len()).map(|i| out.join(format!("seebatch_{}.o", i))).collect();
    compile(&target, &units, &objects);
    let mut archiver = target.archiver();
    archiver.arg("crs").arg(&library).args(&objects);
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

/// The folder that has seebatch.h, and the C files of a packed crate; none in a clone.
fn packed() -> Option<(PathBuf, Vec<Unit>)> {
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("src");
    if !folder.join("seebatch.c").exists() {
        return None;
    }
    let mut names = vec!["seebatch.c"];
    if has("CONDITIONS") {
        names.push("seebatch_conditions.c");
    }
    for name in ["seebatch.c", "seebatch.h", "seebatch_conditions.c"] {
        println!("cargo:rerun-if-changed=src/{}", name);
    }
    let units = names.iter().map(|name| Unit { file: folder.join(name), options: vec![] }).collect();
    Some((folder, units))
}

/// The same for a clone: its sources.
fn clone(out: &Path, target: &Target) -> (PathBuf, Vec<Unit>) {
    let clone = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../..");
    for part in ["src", "include", "io", "CMakeLists.txt"] {
        println!("cargo:rerun-if-changed={}", clone.join(part).display());
    }
    let read = |name: &str| {
        let path = clone.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| cannot(&path, &error))
    };
    let folder_of = |name: &str| format!("-I{}", clone.join(name).display());
    let options = vec![folder_of("src"), folder_of("include")];
    let mut units = Vec::new();

    // Kernels come first because they take longest. A file with #if for the machine includes the kernel's, as the
    // amalgamation does, because WebAssembly has SIMD only where CFLAGS ask for it.
    for row in read("src/dispatch/kernels.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = row.split_whitespace().collect();
        if fields.len() != 3 || !target.has_kernels() || (fields[0] == "avx512" && !has("AVX512")) {
            continue;
        }
        let mut own = options.clone();
        if fields[2] != "-" && target.name.starts_with(fields[1]) {
            own.extend(fields[2].split(',').map(|feature| format!("-m{}", feature)));
        }
        let guarded_folder = out.join(fields[0]);
        std::fs::create_dir_all(&guarded_folder).unwrap_or_else(|error| cannot(&guarded_folder, &error));
        for name in c_files(&clone.join("src").join(fields[0])) {
            let guarded = guarded_folder.join(&name);
            let text = format!("#if defined(__{}__)\n#include \"{}/{}\"\n#endif\n", fields[1], fields[0], name);
            std::fs::write(&guarded, text).unwrap_or_else(|error| cannot(&guarded, &error));
            units.push(Unit { file: guarded, options: own.clone() });
        }
    }
    let lists = read("CMakeLists.txt");
    let listed = lists.split("set(SEEBATCH_SOURCES").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or_default();
    for name in listed.split_whitespace() {
        units.push(Unit { file: clone.join(name), options: options.clone() });
    }
    if has("CONDITIONS") {
        for name in read("io/conditions.txt").lines().filter(|line| !line.starts_with('#')) {
            let options = vec![folder_of("io"), folder_of("src"), folder_of("include")];
            units.push(Unit { file: clone.join("io").join(name), options });
        }
    }
    (clone.join("include"), units)
}

/// The names of the C files in a folder.
fn c_files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| cannot(folder, &error));
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".c")).collect();
    files.sort();
    files
}

/// Compiles all units, as many at a time as cargo allows.
fn compile(target: &Target, units: &[Unit], objects: &[PathBuf]) {
    let common = target.compiler();
    let next = AtomicUsize::new(0);
    let jobs = env::var("NUM_JOBS").ok().and_then(|text| text.parse().ok()).unwrap_or(1usize).clamp(1, units.len());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= units.len() {
                    break;
                }
                let mut compiler = Command::new(common.get_program());
                compiler.args(common.get_args()).args(&units[i].options);
                compiler.arg("-c").arg(&units[i].file).arg("-o").arg(&objects[i]);
                run(compiler, "set CC to a C compiler: gcc, or clang");
            });
        }
    });
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

    /// Whether programs may not use vector registers: those of a kernel, which rustc's target for x86-64 without a system is for.
    fn is_without_vectors(&self) -> bool {
        self.name.starts_with("x86_64") && self.has("none")
    }

    fn has_kernels(&self) -> bool {
        has("SIMD") && !self.is_without_vectors()
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

    /// A program of a cross compiler. For musl on the host's own machine there may be only a wrapper of the host's gcc, which has
    /// no archiver of its own: that is what musl-tools of Debian and the packages of other distributions contain.
    fn gnu_tool(&self, prefix: String, tool: &str) -> String {
        let name = format!("{}-{}", prefix, tool);
        let is_wrapped = self.name == self.host.replace("-gnu", "-musl");
        if is_wrapped && Command::new(&name).arg("--version").output().is_err() {
            return if tool == "gcc" { "musl-gcc" } else { tool }.to_string();
        }
        name
    }

    /// The compiler with all its options but the files.
    fn compiler(&self) -> Command {
        let mut words = match self.setting("CC") {
            Some(text) => words_of(&text),
            None if self.name == self.host && !self.is_msvc() && !self.has("windows") => vec!["cc".to_string()],
            None => vec![self.gnu_prefix().map_or("clang".to_string(), |prefix| self.gnu_tool(prefix, "gcc"))],
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
        // A thread with a small stack ends at its guard page, instead of passing over it within a large frame.
        if !self.has("windows") && accepts(&command, "-fstack-clash-protection") {
            command.arg("-fstack-clash-protection");
        }
        // Each function by itself, so that the linker leaves out what a program does not call.
        command.args(["-ffunction-sections", "-fdata-sections"]);
        if self.name.starts_with("x86_64") && !is_clang(&command) {
            command.arg("-mtune=generic"); // tuned for AMD with AVX-512, gcc keeps words in vector registers
        }
        if !self.has_kernels() {
            command.arg("-DSEEBATCH_NO_KERNELS");
        } else if !has("AVX512") {
            command.arg("-DSEEBATCH_NO_AVX512");
        }
        if self.is_freestanding() {
            // The few functions of the C library come from headers of this crate, and from Rust's own builtins.
            let headers = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("src/freestanding");
            command
                .args(["-ffreestanding", "-DSEEBATCH_FREESTANDING", "-DSEEBATCH_NO_THREADS", "-isystem"])
                .arg(headers);
            if self.is_without_vectors() {
                command.args(["-mgeneral-regs-only", "-mno-red-zone"]); // as rustc's own code for this target
            }
        }
        command.args(&flags);
        command
    }

    fn archiver(&self) -> Command {
        let text = self.setting("AR").unwrap_or_else(|| match self.gnu_prefix() {
            Some(prefix) if self.setting("CC").is_none() => self.gnu_tool(prefix, "ar"),
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

/// Whether a compiler knows an option, and does not only warn that it does nothing by it.
fn accepts(command: &Command, option: &str) -> bool {
    let mut compiler = Command::new(command.get_program());
    compiler.args(command.get_args()).args(["-Werror", option, "-x", "c", "-E", "-o"]);
    compiler.args(if cfg!(windows) { ["NUL", "NUL"] } else { ["/dev/null", "/dev/null"] });
    compiler.output().map_or(false, |output| output.status.success())
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

fn cannot(path: &Path, error: &std::io::Error) -> ! {
    stop(&format!("{}: {}; expected a whole clone of seebatch, or a crate that its scripts/rust packed", path.display(), error))
}

fn stop(sentence: &str) -> ! {
    eprintln!("seebatch: {}", sentence);
    exit(1);
}
