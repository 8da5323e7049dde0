"""Committed tables of what compilers made of the kernels: tab-separated, a line of column names, '#' before remarks.
The first column names the build (the compiler's exact version, kind of build); the first few columns are the key of a
row, the others are numbers of which fewer is better.

A table holds a later build to its numbers only where it can be sure that it is about the same thing: rows of another
compiler, or of loops that are no longer there, are left out, by name."""
import pathlib
import sys

ADVICE = "CONTRIBUTING.md, 'When a count changes', says what to do"


class Comparison:
    """Sentences about a build: what is wrong, what got better, what could not be compared; and how many rows were."""

    def __init__(self):
        self.wrong, self.better, self.skipped, self.compared = [], [], [], 0

    def report(self, name):
        """Prints it all. Returns the exit status: 1 if something is wrong, 77 if something could not be compared."""
        for line in self.wrong:
            print(f"FAILED: {line}")
        for line in self.better:
            print(f"note: {line}")
        for line in self.skipped:
            print(f"SKIPPED: {name}: {line}")
        if self.wrong or self.better or self.skipped:
            print(ADVICE)
        return 1 if self.wrong else 77 if self.skipped else 0


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

    def forget(self, unwanted):
        """Leaves out the rows whose keys the function says so of."""
        self.rows = {key: row for key, row in self.rows.items() if not unwanted(key)}

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

    def compare(self, build, measured, tolerance, group):
        """What the table says about a build. tolerance: by column, how much more is allowed, as a part of the number
        and as a number at least. Rows whose first `group` key columns are alike are compared if there are as many as
        in the table, or not at all: of the loops of a function nobody knows which is which when there is one more."""
        result = Comparison()
        if not self.has_build(build):
            result.skipped.append(f"no rows of this compiler, {build}; {self.path.name} has {self.builds()}")
            return result
        expected = {key: row for key, row in self.rows.items() if key[0] == build}
        members = {}
        for key in expected.keys() | measured.keys():
            members.setdefault(key[:group], set()).add(key)
        for name, keys in sorted(members.items()):
            is_now, was = (sum(key in rows for key in keys) for rows in (measured, expected))
            if is_now == was == len(keys):
                for key in sorted(keys):
                    self._compare_row(result, key, measured[key], expected[key], tolerance)
            else:
                result.skipped.append(f"{' '.join(name)}: {is_now or 'none'} in this build, {was or 'none'} in "
                                      f"{self.path.name}")
        return result

    def _compare_row(self, result, key, row, expected, tolerance):
        result.compared += 1
        for column, is_now, was in zip(self.columns[self.keys:], row, expected):
            part, least = tolerance[column]
            allowed = max(was * part, least)
            if abs(is_now - was) > allowed:
                change = f" ({100 * (is_now - was) / was:+.1f} %)" if was else ""
                where = result.wrong if is_now > was else result.better
                where.append(f"{' '.join(key)}: {column} {is_now}, {was} in {self.path.name}{change}")
