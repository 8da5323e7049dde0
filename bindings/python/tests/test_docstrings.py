"""Every public function says what numpy's would: its parameters, what it returns and raises; its examples run."""
import doctest
import inspect

import pytest
import seebatch as sb

FUNCTIONS = {name: getattr(sb, name) for name in sb.__all__ if inspect.isroutine(getattr(sb, name))}
FUNCTIONS.update((f"columns.{name}", getattr(sb.columns, name)) for name in sb.columns.__all__ if name != "Column")
try:
    import seebatch.torch
except ImportError:  # it needs PyTorch and NumPy
    TORCH = []
else:
    FUNCTIONS["torch.half_kp"] = sb.torch.half_kp
    TORCH = [sb.torch.PositionDataset, sb.torch.PositionLoader]
METHODS = {f"{kind.__name__}.{name}": method for kind in (sb.Reader, sb.Writer, sb.columns.Column, sb.Explanation, *TORCH)
           for name, method in vars(kind).items() if inspect.isfunction(method) and not name.startswith("_")}
CLASSES = {kind.__name__: kind for kind in TORCH}


def names_of(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sections(name):
    text, names = inspect.getdoc(FUNCTIONS[name]), names_of(FUNCTIONS[name])
    assert "\nExamples\n--------\n>>> " in text and "\nReturns\n-------\n" in text or name == "use_kernel"
    assert not names or "\nParameters\n----------\n" in text
    if names:
        described = text.split("\nParameters\n----------\n")[1].split("\n\n")[0]
        said = [word for line in described.splitlines() if not line.startswith(" ") for word in line.split(" :")[0].split(", ")]
        assert sorted(said) == sorted(names)


@pytest.mark.parametrize("name", {**FUNCTIONS, **METHODS, **CLASSES})
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.DocTestFinder(recurse=False).find({**FUNCTIONS, **METHODS, **CLASSES}[name], name, globs={"sb": sb})
    runner = doctest.DocTestRunner(verbose=False)
    for each in found:
        for package in ("chess", "pandas", "pyarrow"):
            if f"import {package}" in each.docstring or package == "pyarrow" and "to_pandas()" in each.docstring:
                pytest.importorskip(package)
        runner.run(each)
    assert runner.failures == 0
