"""Compiles the library, seebatch_io and src/ into one extension module, against the system's zlib and zstd, and
simdjson where pkg-config finds it; without, it reads JSON lines only if simdjson is packed with it, as
scripts/make-release does, and there is a C++ compiler. With SEEBATCH_LIBRARIES, the
folder of a build by CMake, it takes libseebatch.a and libseebatch_io.a from there. With SEEBATCH_EXTENSION, a file, that is
the module, which scripts/make-release compiled for another system. A source distribution has what it needs of the project
in its folder `library`.

From CPython 3.11 on it is of the stable ABI, and one wheel serves all but the free-threaded ones; before, the buffer protocol is
no part of that.
"""
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
try:
    from setuptools.errors import CompileError
except ImportError:  # setuptools before 65.6
    from distutils.errors import CompileError

HERE = pathlib.Path(__file__).resolve().parent
PACKED = HERE / "library"
PROJECT = PACKED if PACKED.is_dir() else HERE.parent.parent
STABLE = sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED")  # free-threaded ones have none yet


def version():
    header = (PROJECT / "include/seebatch.h").read_text()
    return re.search(r'#define SEEBATCH_VERSION "(.*)"', header)[1]


def amalgamate(folder):
    """The library as one file, seebatch.c."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, PROJECT / "scripts/amalgamate", folder], check=True)
    return folder / "seebatch.c"


def has_simdjson():
    try:
        return not subprocess.call(["pkg-config", "--exists", "simdjson >= 3.0"])
    except OSError:
        return False


def readme():
    """README.md for where the package stands alone: links that lead out of it go to the repository, if there is one."""
    found = re.search(r'(?m)^Repository = "(.*)"$', (HERE / "pyproject.toml").read_text(encoding="utf-8"))

    def link(match):
        if re.match(r"https://|#", match[2]):
            return match[0]
        path = os.path.normpath(f"bindings/python/{match[2]}")
        return f"[{match[1]}]({found[1]}/blob/v{version()}/{path})" if found else match[1]
    return re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", link, (HERE / "README.md").read_text(encoding="utf-8"))


def knows(option):
    """Whether the compiler knows an option, and does not only warn that it does nothing by it."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    try:
        return not subprocess.run([*compiler, "-Werror", option, "-x", "c", "-E", os.devnull], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, check=False).returncode
    except OSError:
        return False


class Pack(sdist):
    """Adds what lies outside of this folder, and files that no module names."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        folder = pathlib.Path(base_dir)
        shutil.rmtree(folder / "tests", ignore_errors=True)  # setuptools takes some of them, but not what they share
        for name in ("LICENSE", *(str(path.relative_to(HERE)) for path in (HERE / "seebatch/data").iterdir())):
            (folder / name).unlink()  # a link
            shutil.copyfile(HERE / name, folder / name)
        (folder / "README.md").unlink()
        (folder / "README.md").write_text(readme(), encoding="utf-8")
        shutil.copytree(HERE / "src", folder / "src", dirs_exist_ok=True)
        if PACKED.is_dir():
            shutil.copytree(PACKED, folder / "library")
            return
        for part in ("include", "io"):
            shutil.copytree(PROJECT / part, folder / "library" / part)
        amalgamate(folder / "library")


class Build(build_ext):
    """Adds what lies outside of this folder: seebatch_io, and the library as one file. With paths relative to here
    their objects would lie outside of the folder for them."""

    def get_ext_filename(self, name):
        made = os.environ.get("SEEBATCH_EXTENSION")
        return str(pathlib.Path(*name.split(".")[:-1], pathlib.Path(made).name)) if made else super().get_ext_filename(name)

    def build_extension(self, extension):
        if os.environ.get("SEEBATCH_EXTENSION"):
            target = pathlib.Path(self.get_ext_fullpath(extension.name))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(os.environ["SEEBATCH_EXTENSION"], target)
            return None
        libraries = os.environ.get("SEEBATCH_LIBRARIES")
        if libraries:
            extension.extra_objects = [f"{libraries}/io/libseebatch_io.a", f"{libraries}/libseebatch.a"]
            if b"json_tokens.cc" in pathlib.Path(extension.extra_objects[0]).read_bytes():
                extension.libraries += LIBRARIES_OF_JSON
            return super().build_extension(extension)
        self.check_needs(extension)
        if not self.add_simdjson(extension):
            print("JSON lines will not be read: there is no C++ compiler, or neither a packed simdjson nor one that "
                  "pkg-config finds (Debian: g++, pkg-config, libsimdjson-dev)")
        packed = PACKED / "seebatch.c"
        library = packed if packed.exists() else amalgamate(pathlib.Path(self.build_temp) / "amalgamation")
        formats = sorted(path for path in (PROJECT / "io").rglob("*.c") if path.parent.name != "windows")
        outside = [*formats, library]
        extension.sources = [*extension.sources, *map(str, outside)]
        return super().build_extension(extension)

    def check_needs(self, extension):
        """A sentence that names what is missing, instead of what a compiler says about it, or the system about a compiler."""
        probe = pathlib.Path(self.build_temp) / "probe.c"
        probe.parent.mkdir(parents=True, exist_ok=True)
        for code, what, package in (("int probe;", "C compiler that works", "gcc"), ("#include <Python.h>", "header Python.h", "python3-dev"),
                                    ("#include <zlib.h>", "header zlib.h", "zlib1g-dev"), ("#include <zstd.h>", "header zstd.h", "libzstd-dev")):
            probe.write_text(f"{code}\n", encoding="utf-8")
            try:
                self.compiler.compile([str(probe)], self.build_temp, extension.define_macros, extension.include_dirs)
            except (CompileError, OSError) as error:
                raise CompileError(f"there is no {what} ({error}), and the package is compiled: install it (Debian: apt install "
                                   f"{package}), or set CC, CFLAGS and LDFLAGS to where it is, or take a wheel") from None

    def add_simdjson(self, extension):
        """Compiles what reads JSON lines: with the simdjson of the system, else with the packed one; whether that went well."""
        found, packed = has_simdjson(), PACKED / "simdjson"
        if not found and not packed.is_dir():
            return False
        sources = [PROJECT / "io/formats/json/json_tokens.cc", *([] if found else [packed / "simdjson.cpp"])]
        try:
            objects = self.compiler.compile([str(source) for source in sources], self.build_temp, [("SEEBATCH_JSON", None)],
                                            [*extension.include_dirs, *([] if found else [str(packed)])], extra_postargs=FLAGS_OF_JSON)
        except CompileError:
            if found:
                raise
            return False  # the packed one is there for those who have a C++ compiler
        extension.define_macros.append(("SEEBATCH_JSON", None))
        extension.extra_objects += objects
        extension.libraries += LIBRARIES_OF_JSON if found else LIBRARIES_OF_JSON[1:]
        return True


# What Python was compiled with comes first; -fwrapv and -g cost speed and room. A level in CFLAGS is taken.
CFLAGS = os.environ.get("CFLAGS", "")
FLAGS = ["-std=c11", "-g0", "-fno-wrapv", "-fvisibility=hidden", "-D_XOPEN_SOURCE=700"]
FLAGS += ["-O1", "-UNDEBUG"] if "-fsanitize" in CFLAGS else ["-DNDEBUG"] if "-O" in CFLAGS else ["-O3", "-DNDEBUG"]
if platform.machine() in ("x86_64", "AMD64"):
    FLAGS.append("-mtune=generic")
# In a thread with a small stack (threading.stack_size), a large frame must meet the guard page instead of passing over it.
if sys.platform != "win32" and knows("-fstack-clash-protection"):
    FLAGS.append("-fstack-clash-protection")
FLAGS_OF_JSON = [*("-std=c++17" if flag == "-std=c11" else flag for flag in FLAGS), "-fno-exceptions", "-fno-rtti"]
LIBRARIES_OF_JSON = ["simdjson", "stdc++"]
LINK = ["-pthread"]
if sys.platform == "linux":
    LINK.append(f"-Wl,--version-script={HERE / 'src/exports.map'}")

# The name and the packages stand here for setuptools before 61, which read none of pyproject.toml; the licence because
# before 77 it is a table there, which later ones deprecate.
setup(
    name="seebatch",
    license=os.environ.get("SEEBATCH_LICENSE") or ("MIT AND Apache-2.0" if (PACKED / "simdjson").is_dir() else "MIT"),
    long_description=readme(),
    long_description_content_type="text/markdown",
    version=version(),
    packages=["seebatch"],
    package_data={"seebatch": ["py.typed", "*.pyi", "data/*"]},
    ext_modules=[
        Extension(
            "seebatch._core",
            sorted(str(path.relative_to(HERE)) for path in (HERE / "src").glob("*.c")),
            include_dirs=[str(PROJECT / "include"), str(PROJECT / "io")],
            define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
            extra_compile_args=FLAGS,
            extra_link_args=LINK,
            libraries=["z", "zstd"],
            py_limited_api=STABLE,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"} if STABLE else {}},
    cmdclass={"build_ext": Build, "sdist": Pack},
)
