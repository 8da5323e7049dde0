"""What the tests of machine code share: they read the library's objects by the programs of binutils."""
import subprocess
import sys


def run(*command):
    """What a command prints; ends the test if the command fails."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"FAILED: {' '.join(command)} ended with status {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def skip_unless_x86_64(path):
    """Ends the test with 77, as skipped, if an object is not of x86-64."""
    if "elf64-x86-64" not in run("objdump", "--file-headers", path):
        print(f"SKIPPED: machine code that is not of x86-64 (ELF): {path}")
        sys.exit(77)
