"""With sanitizers each start of the tool takes long, and it is memory that they watch: of each test with many parameters
only some run then, evenly spread. With SEEBATCH_TEST_EVERY all run."""
import os

from pipeline_support import SANITIZED

MOST = 4


def pytest_collection_modifyitems(config, items):
    if not SANITIZED or os.environ.get("SEEBATCH_TEST_EVERY"):
        return
    cases = {}
    for item in items:
        cases.setdefault(item.function, []).append(item)
    kept = {each[i * len(each) // MOST] for each in cases.values() for i in range(MOST)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_sessionfinish(session, exitstatus):
    """A file of which every test was skipped ends with 77, which ctest reports as skipped."""
    counts = session.config.pluginmanager.get_plugin("terminalreporter").stats
    if exitstatus == 0 and "skipped" in counts and "passed" not in counts:
        session.exitstatus = 77
