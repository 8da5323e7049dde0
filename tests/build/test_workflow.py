#!/usr/bin/env python3
"""Runs the steps of .github/workflows/release.yml in an empty Debian, as far as they go without GitHub.

    test_workflow.py [--check] PROJECT FOLDER [FILES]

Each job gets an empty root of the image that it names, by debootstrap; FOLDER keeps the bare one. The checkout is a clone of the depth
that the step asks for, an artifact is a folder that is carried from job to job, and `gh` is a stand-in that refuses what GitHub
would refuse or change: a release without its tag or files, names of files other than letters, digits and . _ + -, and a
second release of one tag. The draft is made twice, as when somebody runs the workflow again, and then published, for which the other
jobs run, those that publish twice as well. What only a registry can do is a stand-in, too: it looks at the files that it is given, and
refuses what it has already. FILES is a release of this commit that was made
already: the step `scripts/test artifacts` tries these files, and makes none, which takes half of the time; SEEBATCH_TEST_SUITES and
SEEBATCH_TEST_FILES choose the releases of Debian and the files that are tried on them (test_release.sh, test_on_debian.sh). --check looks at the file alone,
without a root: what each job may do and uses, and that faults put in on purpose are found.

Exit status: 0; 1 if a step or a check failed; 77 where there is no root, debootstrap, mirror or PyYAML.
"""
import contextlib
import functools
import http.server
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

GH = r'''#!/bin/sh
# A stand-in for gh: GitHub is the folder /github, with a folder for each release.
set -eu
[ -n "${GH_TOKEN:-}" ] || { echo 'gh: GH_TOKEN is not set' >&2; exit 4; }
command="$1 $2"; tag=$3; shift 3
clobber=; dir=.; files=
while [ $# -gt 0 ]; do
    case $1 in
    --repo | --title | --notes | --notes-file) shift ;;
    --dir) dir=$2; shift ;;
    --clobber) clobber=1 ;;
    --draft | --verify-tag) ;;
    -*) echo "gh: the stand-in does not know $1" >&2; exit 1 ;;
    *) files="$files $1" ;;
    esac
    shift
done
release=/github/$tag
put() {
    for file in $files; do
        [ -f "$file" ] || { echo "gh: no such file: $file" >&2; exit 1; }
        # GitHub gives such a file another name, under which nobody who checks its sum finds it.
        name=$(basename "$file" | sed 's/[^A-Za-z0-9._+-]/./g')
        [ -n "$clobber" ] || [ ! -e "$release/$name" ] || { echo "gh: $name exists already" >&2; exit 1; }
        cp "$file" "$release/$name"
    done
}
case $command in
'release view') [ -d "$release" ] || { echo 'release not found' >&2; exit 1; } ;;
'release create')
    [ ! -d "$release" ] || { echo "gh: a release of $tag exists already" >&2; exit 1; }
    [ "$tag" = "$GITHUB_REF_NAME" ] || { echo "gh: there is no tag $tag" >&2; exit 1; }
    mkdir "$release"; put ;;
'release upload') [ -d "$release" ] || { echo 'release not found' >&2; exit 1; }; [ -n "$files" ] || exit 1; put ;;
'release download') [ -n "$(ls "$release")" ] || { echo 'no assets' >&2; exit 1; }; cp "$release"/* "$dir"/ ;;
*) echo "gh: the stand-in does not know $command" >&2; exit 1 ;;
esac
'''


# Registries: what is given to them has to be there, to be what they take, and to be new. What they have is what a server of this test
# answers to scripts/publish.
NPM = r'''#!/bin/sh
set -eu
[ "$1 $3 $4" = 'publish --access public' ] || { echo "npm: the stand-in does not know $*" >&2; exit 1; }
tar -xzOf "$2" package/package.json | grep '"version": "'"${GITHUB_REF_NAME#v}"'"' || { echo "npm: $2 is no package of $GITHUB_REF_NAME" >&2; exit 1; }
there=/github/.registry/seebatch/${GITHUB_REF_NAME#v}
[ ! -e "$there" ] || { echo 'npm: You cannot publish over the previously published versions' >&2; exit 1; }
mkdir -p "${there%/*}"
python3 - "$2" >"$there" <<'END'
import base64, hashlib, json, sys
digest = base64.b64encode(hashlib.sha512(open(sys.argv[1], "rb").read()).digest()).decode()
print(json.dumps({"dist": {"integrity": f"sha512-{digest}"}}))
END
'''
CARGO = r'''#!/bin/sh
set -eu
[ "$1" = publish ] || { echo "cargo: the stand-in does not know $1" >&2; exit 1; }
[ -n "${CARGO_REGISTRY_TOKEN:-}" ] || { echo 'cargo: no token found' >&2; exit 1; }
grep '^version = "'"${GITHUB_REF_NAME#v}"'"' Cargo.toml
[ -e src/lib.rs ] && [ -e LICENSE ] && { [ "${PWD##*/}" = boards ] || [ -s src/seebatch.c ]; }
there=/github/.registry/se/eb/$(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
[ ! -e "$there" ] || { echo "cargo: crate ${there##*/} already exists on crates.io index" >&2; exit 1; }
mkdir -p "${there%/*}"
echo '{"vers": "'"${GITHUB_REF_NAME#v}"'"}' >"$there"
'''
# The major versions of actions from which on they run on a node that GitHub still has.
NODE_24 = {"actions/checkout": 5, "actions/upload-artifact": 6, "actions/download-artifact": 7, "actions/attest-build-provenance": 3,
           "actions/setup-node": 5, "actions/upload-pages-artifact": 5, "actions/deploy-pages": 5, "rust-lang/crates-io-auth-action": 1}


def skip(why):
    print(f"SKIPPED: the workflow: {why}")
    sys.exit(77)


def fail(why):
    print(f"FAILED: {why}")
    sys.exit(1)


def check_actions(workflow, name):
    """That no action of a workflow needs a node that GitHub has no longer."""
    for job in workflow["jobs"].values():
        for use in (step["uses"] for step in job["steps"] if "uses" in step):
            action, version = use.split("@")
            if action in NODE_24 and int(version.lstrip("v").split(".")[0]) < NODE_24[action]:
                fail(f"{name} uses {use}, which needs a node that GitHub has no longer; expected v{NODE_24[action]} or later")


def check(workflow):
    """What makes a release that fails, or that is not safe, found in the file alone."""
    jobs = workflow["jobs"]
    runs_of = {name: "\n".join(step.get("run", "") for step in job["steps"]) for name, job in jobs.items()}
    if "gh release view" not in "".join(runs_of.values()):
        fail("no step asks whether there is a draft already; a second run would make a second one")
    if "--notes-file" not in "".join(runs_of.values()):
        fail("the release has no notes of its own; expected those of NEWS.md")
    if "make-release --check" not in "".join(runs_of.values()):
        fail("no step asks whether all programs are there; a release without a part would be found after an hour")
    if "publish --compare pypi" not in "".join(runs_of.values()):
        fail("no step compares the files with those that PyPI has already; skip-existing takes any file of the same name for this one")
    for registry, command in (("PyPI", "gh-action-pypi-publish"), ("npm", "publish npm"), ("crates.io", "publish crates.io")):
        publishing = [job for job in jobs.values() if command in str(job["steps"])]
        if not publishing:
            fail(f"no job publishes to {registry}")
        if any(job.get("permissions", {}).get("id-token") != "write" or "secrets." in str(job) for job in publishing):
            fail(f"the job for {registry} does not use trusted publishing; expected id-token: write and no secret")
    for name, job in jobs.items():
        uses = [step["uses"] for step in job["steps"] if "uses" in step]
        runs = "\n".join(step.get("run", "") for step in job["steps"])
        may = {**(workflow.get("permissions") or {}), **job.get("permissions", {})}
        if may.get("contents") == "write" and "scripts/" in runs:
            fail(f"the job {name} runs packages of registries and may write to the repository; expected two jobs")
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@") and "scripts/test" in runs and (step.get("with") or {}).get("fetch-depth", 1) != 0:
                fail(f"the job {name} has a shallow clone, from which the tests cannot clone; expected fetch-depth: 0")
            if "scripts/test artifacts" in step.get("run", "") and "SEEBATCH_TEST_RELEASE_REQUIRED" not in (step.get("env") or {}):
                fail(f"the job {name} takes a release that was skipped for one that was made; expected SEEBATCH_TEST_RELEASE_REQUIRED")
        if any("download-artifact" in use for use in uses) and "sha256sum -c" not in runs:
            fail(f"the job {name} does not check the sums of what it was given")
        if "gh release" in runs and "sha256sum -c" not in runs.split("gh release download")[-1]:
            fail(f"the job {name} does not check the sums as they are downloaded")
    if not any("SEEBATCH_VERSION" in step.get("run", "") for job in jobs.values() for step in job["steps"]):
        fail("no step compares the tag with the version")
    print("ok: jobs, permissions, clone and sums of release.yml")


# What a release went wrong by once: without the line of release.yml that has these words, check() has to fail.
FAULTS = {"a release that was skipped counts as made": "SEEBATCH_TEST_RELEASE_REQUIRED", "a missing program": "make-release --check",
          "a shallow clone": "fetch-depth: 0", "names that GitHub changes": "cd back && sha256sum -c",
          "a tag that is not the version": "SEEBATCH_VERSION", "another file of the same name on PyPI": "--compare pypi"}


def check_faults(text, load):
    """That each fault of FAULTS, put into the workflow, is found."""
    for fault, words in FAULTS.items():
        kept = [line for line in text.splitlines() if words not in line]
        if len(kept) == len(text.splitlines()):
            fail(f"release.yml has no line with '{words}' that could be left out")
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                check(load("\n".join(kept)))
        except SystemExit:
            continue
        fail(f"{fault}: nothing in release.yml is found wrong without its line with '{words}'")
    print(f"ok: {len(FAULTS)} faults, put in on purpose, are found")


def root_of(image, folder, where):
    """An empty root of an image, a copy of the one that FOLDER keeps."""
    if not re.fullmatch(r"debian:\d+", image):
        fail(f"expected an image debian:NUMBER, found {image}")
    suite = {"11": "bullseye", "12": "bookworm", "13": "trixie"}[image.split(":")[1]]
    mirror = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Component: main"],
                            capture_output=True, text=True, check=False).stdout.split()
    base = folder / f"debian-{suite}"
    if not base.exists():
        if not mirror:
            skip("apt names no mirror")
        made = folder / f"debian-{suite}.made"
        shutil.rmtree(made, ignore_errors=True)
        done = subprocess.run(["debootstrap", "--variant=minbase", suite, made, mirror[0]], capture_output=True, text=True, check=False)
        if done.returncode:
            skip(f"debootstrap: {done.stdout.strip()[-200:]}")
        made.rename(base)
    subprocess.run(["cp", "-a", base, where], check=True)
    # What this machine needs in order to reach a mirror and registries: names, proxies and certificates.
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile(f"/etc/{name}", where / "etc" / name)
    for name in ("apt/apt.conf.d", "apt/auth.conf.d", "ssl/certs"):
        if Path("/etc", name).exists():
            shutil.rmtree(where / "etc" / name, ignore_errors=True)
            shutil.copytree(Path("/etc", name), where / "etc" / name)
    if Path("/usr/local/share/ca-certificates").exists():
        shutil.copytree("/usr/local/share/ca-certificates", where / "usr/local/share/ca-certificates", dirs_exist_ok=True)
    (where / "etc/apt/apt.conf.d/docker-clean").unlink(missing_ok=True)
    (where / "etc/dpkg/dpkg.cfg.d/image").write_text("force-unsafe-io\n")  # as the images of Docker have it
    (where / "etc/apt/sources.list").write_text(f"deb {mirror[0]} {suite} main\n")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def inside(root, command, environment, github):
    kept = {name: value for name, value in os.environ.items()
            if re.fullmatch(r"(?i)(https?|no)_proxy|(PIP|NPM|npm|CARGO|SSL|NODE)_.*|SEEBATCH_TEST_(SUITES|FILES)", name)}
    # Like the root of a container, this one is a mount of its own; otherwise no test inside could mount anything.
    script = ('mount --bind "$1" "$1"; mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mount -t sysfs sys "$1/sys"; mkdir -p "$1/github"; '
              'mount --bind "$3" "$1/github"; exec chroot "$1" sh -ec "cd /work && $2"')
    return subprocess.run(["unshare", "--mount", "sh", "-euc", script, "-", root, command, github], stdin=subprocess.DEVNULL, check=False,
                          env={**kept, "HOME": "/root", "PATH": "/stand-in:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                               "DEBIAN_FRONTEND": "noninteractive", **environment}).returncode


def run_job(name, job, project, folder, work, environment, files):
    root, github, artifacts = work / name, work / "github", work / "artifacts"
    github.mkdir(exist_ok=True)
    # Without a container a job runs in GitHub's own image, which has the programs of the stand-ins, git and Python.
    container = job.get("container")
    root_of((container["image"] if isinstance(container, dict) else container) if container else "debian:12", folder, root)
    (root / "work").mkdir()
    (root / "stand-in").mkdir()
    stand_ins = {"gh": GH} if container else {"gh": GH, "npm": NPM, "cargo": CARGO}
    for program, text in stand_ins.items():
        (root / "stand-in" / program).write_text(text)
        (root / "stand-in" / program).chmod(0o755)
    if not container and "scripts/" in str(job["steps"]) and \
            inside(root, "apt-get update -qq && apt-get install -qq -y git python3 ca-certificates >/dev/null", environment, github):
        fail(f"the job {name}: git and Python cannot be installed")
    for number, step in enumerate(job["steps"], 1):
        use, given = step.get("uses", "").split("@")[0], step.get("with") or {}
        print(f"{name}, step {number}: {step.get('name') or use or step['run'].splitlines()[0]}", flush=True)
        if use == "actions/checkout":
            depth = ["--depth", "1"] if given.get("fetch-depth", 1) else []
            subprocess.run(["git", "clone", "--quiet", *depth, f"file://{project}", root / "work"], check=True)
        elif use == "actions/upload-artifact":
            if not (root / "work" / given["path"]).is_dir() or not any((root / "work" / given["path"]).iterdir()):
                fail(f"the job {name}: there is no file in {given['path']} to upload")
            shutil.copytree(root / "work" / given["path"], artifacts / given["name"], dirs_exist_ok=True)
        elif use == "actions/download-artifact":
            shutil.copytree(artifacts / given["name"], root / "work" / given["path"])
        elif use == "actions/attest-build-provenance":
            if not (root / "work" / given["subject-checksums"]).exists():
                fail(f"the job {name}: there is no {given['subject-checksums']} to attest")
        elif use == "pypa/gh-action-pypi-publish":
            names = sorted(path.name for path in (root / "work" / given["packages-dir"]).iterdir())
            if not any(each.endswith(".whl") for each in names) or sum(each.endswith(".tar.gz") for each in names) != 1 or \
                    any(not each.endswith((".whl", ".tar.gz")) for each in names):
                fail(f"the job {name}: PyPI takes wheels and one source distribution, found {' '.join(names)}")
        elif use in ("actions/setup-node", "rust-lang/crates-io-auth-action"):
            pass  # there are stand-ins for what they bring
        elif use:
            fail(f"the job {name} uses {use}, which this test does not know")
        else:
            text = work / "command"
            text.write_text("set -e\n" + step["run"])
            environment["GITHUB_OUTPUT"] = "/command.output"
            shutil.copyfile(text, root / "command")
            # A token of GitHub is there, whatever it is.
            own = {key: re.sub(r"\$\{\{.*?\}\}", "token", str(value)) for key, value in step.get("env", {}).items()}
            if files and step["run"] == "scripts/test artifacts":
                shutil.copytree(files, root / "work/build-release/artifacts/release")
                own["SEEBATCH_TEST_RELEASE"] = "build-release/artifacts/release"
                print(f"    SKIPPED: making a release; it tries those of {files}")
            status = inside(root, "sh -e /command", {**environment, **own}, github)
            if status:
                fail(f"the job {name}, step {number} ended with {status}: {step['run']}")
    subprocess.run(["rm", "-rf", root], check=True)  # several GB


def main():
    arguments = [each for each in sys.argv[1:] if each != "--check"]
    if len(arguments) not in ((1,) if "--check" in sys.argv else (2, 3)):
        print(__doc__)
        sys.exit(2)
    project = Path(arguments[0]).resolve()
    try:
        import yaml
    except ImportError:
        skip("there is no PyYAML (Debian: python3-yaml)")
    text = (project / ".github/workflows/release.yml").read_text()
    workflow = yaml.safe_load(text)
    check(workflow)
    check_faults(text, yaml.safe_load)
    for path in sorted((project / ".github/workflows").glob("*.yml")):
        check_actions(yaml.safe_load(path.read_text()), path.name)
    if "--check" in sys.argv:
        return
    if os.geteuid():
        skip("only root can make an empty Debian")
    if not shutil.which("debootstrap"):
        skip("there is no debootstrap")
    folder = Path(arguments[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    version = re.search(r'#define SEEBATCH_VERSION "(.*)"', (project / "include/seebatch.h").read_text())[1]
    files = Path(arguments[2]).resolve() if len(arguments) > 2 else None
    environment = {"GITHUB_REF_NAME": os.environ.get("SEEBATCH_TEST_TAG", f"v{version}"), "GITHUB_REPOSITORY": "owner/seebatch"}
    with tempfile.TemporaryDirectory() as work:
        registry = Path(work) / "github/.registry"
        registry.mkdir(parents=True)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=registry))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment.update({"SEEBATCH_TEST_REGISTRY": f"http://127.0.0.1:{server.server_port}", "no_proxy": "127.0.0.1"})
        for name, job in workflow["jobs"].items():
            for _ in range(2 if re.search("gh release create|scripts/publish (npm|crates)", str(job["steps"])) else 1):
                run_job(name, job, project, folder, Path(work), environment, files)
        releases = sorted(path.name for path in (Path(work) / "github").iterdir() if path != registry)
        if releases != [environment["GITHUB_REF_NAME"]]:
            fail(f"expected one release of {environment['GITHUB_REF_NAME']}, found {', '.join(releases)}")
    print(f"ok: the steps of the jobs {', '.join(workflow['jobs'])}, and the draft and the registries once more")


if __name__ == "__main__":
    main()
