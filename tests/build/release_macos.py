#!/usr/bin/env python3
"""What macOS looks at before it runs a program or loads a module, in the files of a release for macOS, which nothing here runs.

    release_macos.py FILES

FILES is the folder of a release. Each program and module must be a Mach-O file of the processor and for the oldest macOS that the
file's name says, and must load no library but the system's. On Apple's processors it must have a signature whose digests are those
of its pages, because the system kills a program that was changed after it was signed. (The layout of a signature is that of
Apple's cs_blobs.h.) Exit status: 0, or 1 if a file would be refused.
"""
import hashlib
import re
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

PROCESSORS = {"x86_64": 0x01000007, "arm64": 0x0100000C}
CODE_SIGNATURE, LOAD_DYLIB, BUILD_VERSION = 0x1D, 0xC, 0x32
CODE_DIRECTORY, MACOS, SHA256 = 0xFADE0C02, 1, 2


def commands(data):
    """The load commands: (number, its bytes)."""
    (count,) = struct.unpack_from("<I", data, 16)
    at = 32
    for _ in range(count):
        number, size = struct.unpack_from("<2I", data, at)
        yield number, data[at:at + size]
        at += size


def signed_pages(data, begin, size):
    """How many pages a signature has the right digests of."""
    blob = data[begin:begin + size]
    (count,) = struct.unpack_from(">I", blob, 8)
    for i in range(count):
        (at,) = struct.unpack_from(">I", blob, 16 + 8 * i)
        magic, _, _, _, digests, _, _, pages, limit, length, kind, _, bits = struct.unpack_from(">9I4B", blob, at)
        if magic == CODE_DIRECTORY:
            assert kind == SHA256 and limit == begin, f"it signs {limit} bytes, expected the {begin} before the signature, by SHA-256"
            for page in range(pages):
                found = hashlib.sha256(data[page << bits:min((page + 1) << bits, limit)]).digest()
                assert found == blob[at + digests + page * length:][:length], f"page {page} was changed after it was signed"
            return pages
    raise AssertionError("its signature has no list of digests")


def look_at(data, processor, oldest):
    magic, found = struct.unpack_from("<2I", data)
    assert (magic, found) == (0xFEEDFACF, PROCESSORS[processor]), f"it is no Mach-O file for {processor}"
    of = {}
    for number, command in commands(data):
        of.setdefault(number, []).append(command)
    for command in of[LOAD_DYLIB]:
        name = command[struct.unpack_from("<I", command, 8)[0]:].split(b"\0")[0].decode()
        assert name.startswith("/usr/lib/"), f"it loads {name}, which no Mac has"
    platform, version = struct.unpack_from("<2I", of[BUILD_VERSION][0], 8)
    found = f"{version >> 16}.{version >> 8 & 255}"
    assert platform == MACOS and found == oldest, f"it needs macOS {found}, expected {oldest}"
    assert processor != "arm64" or CODE_SIGNATURE in of, "it has no signature, so Apple's processors do not run it"
    return sum(signed_pages(data, *struct.unpack_from("<2I", command, 8)) for command in of.get(CODE_SIGNATURE, []))


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        sys.exit(2)
    files = sorted(each for each in Path(sys.argv[1]).iterdir() if "-macos" in each.name)
    wheels = [each for each in files if each.suffix == ".whl"]
    # The name of a wheel alone says which macOS it needs; the tools need the same.
    (oldest,) = {".".join(re.search(r"-macosx_(\d+)_(\d+)_", each.name).groups()) for each in wheels}
    for file in files:
        if file in wheels:
            with zipfile.ZipFile(file) as archive:
                data = archive.read("seebatch/_core.abi3.so")
        else:
            with tarfile.open(file) as archive:
                data = archive.extractfile(f"{file.name.removesuffix('.tar.gz')}/seebatch").read()
        processor = next(each for each in PROCESSORS if each in file.name)
        try:
            pages = look_at(data, processor, oldest)
        except AssertionError as why:
            print(f"FAILED: {file.name}: {why}")
            sys.exit(1)
        print(f"ok: {file.name}: for macOS {oldest}, {f'{pages} pages with their signature' if pages else 'not signed, as Intel does not ask for it'}")


if __name__ == "__main__":
    main()
