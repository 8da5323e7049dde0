"""Committed tables of what compilers made of the kernels: tab-separated, a line of column names, '#' before remarks. The first
column names the build (compiler, version, kind); the first few columns are the key of a row, the others are numbers."""
import pathlib
import sys


class Table:
    def __init__(self, path, keys):
        self.path, self.keys, self.remarks, self.rows = pathlib.Path(path), keys, [], {}
        self.columns = None
        for number, line in enumerate(self.path.read_text().splitlines(), 1):
            if line.startswith("#"):
                self.remarks.append(line)
                continue
            fields = line.split("\t")
            if self.columns is None:
                self.columns = fields
            elif len(fields) != len(self.columns) or not all(field.isdigit() for field in fields[keys:]):
                sys.exit(f"FAILED: {self.path}:{number}: expected {len(self.columns)} fields between tabs, the last "
                         f"{len(self.columns) - keys} of them numbers: '{line}'")
            elif tuple(fields[:keys]) in self.rows:
                sys.exit(f"FAILED: {self.path}:{number}: there is a row for {' '.join(fields[:keys])} already")
            else:
                self.rows[tuple(fields[:keys])] = tuple(map(int, fields[keys:]))
        if self.columns is None or len(self.columns) <= keys:
            sys.exit(f"FAILED: {self.path}: expected a line with the names of more than {keys} columns")

    def builds(self):
        return ", ".join(sorted({key[0] for key in self.rows})) or "none"

    def has_build(self, build):
        return any(key[0] == build for key in self.rows)

    def drop(self, seconds):
        """Forgets the rows whose second column is one of those: what this machine cannot measure."""
        seconds = set(seconds)
        self.rows = {key: row for key, row in self.rows.items() if key[1] not in seconds}

    def update(self, build, measured):
        """Writes the rows of a build anew, and says what changed."""
        before = {key: row for key, row in self.rows.items() if key[0] == build}
        for key in sorted(before.keys() | measured.keys()):
            if before.get(key) != measured.get(key):
                show = [" ".join(map(str, row)) if row else "none" for row in (before.get(key), measured.get(key))]
                print(f"{' '.join(key)}: {show[0]} -> {show[1]}")
        rows = {key: row for key, row in self.rows.items() if key[0] != build} | measured
        lines = ["\t".join([*key, *map(str, row)]) for key, row in sorted(rows.items())]
        self.path.write_text("\n".join([*self.remarks, "\t".join(self.columns), *lines]) + "\n")
        print(f"written: {len(measured)} rows of {build} to {self.path}")

    def compare(self, build, measured, tolerance, lower_is_wrong):
        """Sentences about the rows of a build that are not as measured. tolerance: by column, as a part of the number."""
        advice = "see CONTRIBUTING.md, 'When a count changes'"
        expected = {key: row for key, row in self.rows.items() if key[0] == build}
        for key in sorted(expected.keys() - measured.keys()):
            yield f"{' '.join(key)}: in {self.path.name}, but there is no such thing in this build; {advice}"
        for key in sorted(measured.keys() - expected.keys()):
            yield f"{' '.join(key)}: in this build, but not in {self.path.name}; {advice}"
        for key in sorted(measured.keys() & expected.keys()):
            for column, is_now, was in zip(self.columns[self.keys:], measured[key], expected[key]):
                allowed = was * tolerance[column]
                if is_now > was + allowed or (lower_is_wrong and is_now < was - allowed):
                    change = f" ({100 * (is_now - was) / was:+.1f} %)" if was else ""
                    yield f"{' '.join(key)}: {column} {is_now}, expected {was}{change}; {advice}"
