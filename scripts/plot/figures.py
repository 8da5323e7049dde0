"""The charts: what is drawn of the results (results.py), and where (svg.py)."""
import math
import re

from svg import Drawing

WIDTH = 820
MARKERS = ("circle", "square", "triangle", "diamond")
BATCHES = ("one-1", "one-2", "one-4", "one-8", "one-16", "one-32", "bulk")
FORMS = ("value", "ge")
SHAPES = {
    "bulk/value": "captures of many positions",
    "bulk/ge": "the same, value \u2265 0",
    "bulk-all/value": "all legal moves of many positions",
    "bulk-all/ge": "the same, value \u2265 \u221250",
    "one-32/value": "32 moves of a position a call",
    "one-32/ge": "the same, value \u2265 0",
    "one-8/value": "8 moves of a position a call",
    "one-1/value": "one move a call",
    "hot/value": "one move a call, 256 positions",
    "hot/ge": "the same, value \u2265 0",
}
RULES = {
    "swap": "the swap algorithm",
    "promotions": "with promotions all along",
    "ethereal": "as Ethereal computes it",
    "stockfish": "as Stockfish does today",
    "stockfish-2016": "as Stockfish did first",
    "legal": "the true value, by legal captures",
}
LEFT = 24


def colour_of(kernel):
    known = ("scalar", "avx2", "avx512", "textbook")
    return kernel if kernel in known else f"other{1 + sum(map(ord, kernel)) % 2}"


def ticks(highest, most):
    """Round numbers from 0 to the first one not below the highest: at most so many steps."""
    rough = highest / most
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    return [step * i for i in range(math.ceil(highest / step - 1e-9) + 1)]


def plain(x):
    return f"{x:g}"


def rounded(x):
    """Three digits, as far as a measurement on a shared machine goes."""
    return f"{x:.2f}" if x < 9.995 else f"{x:.1f}" if x < 99.95 else f"{x:.0f}"


def caption(results):
    """Where the numbers come from: two lines."""
    context = results.context
    compiler = str(context.get("seebatch_compiler", "unknown compiler"))
    compiler = compiler.replace("GNU ", "gcc ").replace("Clang ", "clang ")
    flags = str(context.get("seebatch_flags", "")).replace("-DNDEBUG", "").strip()
    clock = f", {context['mhz_per_cpu'] / 1000:.1f} GHz nominal" if isinstance(context.get("mhz_per_cpu"), int) else ""
    machine = f"{context.get('cpu', 'unknown processor')}{clock}"
    commit = str(context.get("seebatch_commit", "unknown"))
    commit = re.sub(r"^([0-9a-f]{7})[0-9a-f]+", r"\1", commit)
    spread = sorted(results.spread.values())
    times = f"median of {results.repetitions} runs" if results.repetitions > 1 else "one run"
    if spread:
        middle, worst = 100 * spread[len(spread) // 2], 100 * spread[-1]
        times += f", their standard deviation {middle:.1f} % (at worst {worst:.0f} %)"
    positions = str(context.get("positions", ""))
    work = f"{int(positions):,} positions" if positions.isdigit() else "unknown positions"
    return (f"{machine}; {compiler} {flags}; commit {commit}; {str(context.get('date', 'unknown date'))[:10]}.",
            f"One thread{', pinned' if context.get('pinned') else ''}; {work}; {times}.")


def frame(results, height, title, subtitle):
    drawing = Drawing(WIDTH, height, title, " ".join([subtitle, *caption(results)]))
    drawing.text(LEFT, 30, title, size=16, font_weight=600)
    drawing.text(LEFT, 49, subtitle, colour="faint", size=12)
    for i, line in enumerate(caption(results)):
        drawing.text(LEFT, height - 27 + 15 * i, line, colour="faint", size=10.5)
    return drawing


# ---- Bars ------------------------------------------------------------------------------------------------------------


def bars(results, title, subtitle, groups):
    """Millions of SEE a second. groups: [(name, what it is, {kernel: benchmark})]; times scalar behind each bar."""
    bar, gap, top, left, right = 13, 12, 92, 270, 96
    groups = [(name, what, {k: b for k, b in of.items() if b in results.rate}) for name, what, of in groups]
    groups = [group for group in groups if group[2]]
    height = top + sum(len(of) * bar + gap for _, _, of in groups) + 56
    drawing = frame(results, height, title, subtitle)
    marks = ticks(max(results.rate[b] for _, _, of in groups for b in of.values()) / 1e6, 6)
    scale = (WIDTH - left - right) / marks[-1]
    bottom = height - 56
    for mark in marks:
        x = left + mark * scale
        drawing.line(x, top - 8, x, bottom - gap / 2)
        drawing.text(x, top - 14, plain(mark), colour="faint", size=11, anchor="middle", data_tick=plain(mark),
                     data_at=x)
    drawing.text(left - 16, top - 14, "million SEE/s", colour="faint", size=11, anchor="end")
    y = top
    for name, what, of in groups:
        drawing.text(LEFT, y + 11, name, size=12.5, font_weight=600)
        drawing.text(LEFT, y + 25, what, colour="faint", size=10.5)
        for kernel, benchmark in of.items():
            rate = results.rate[benchmark] / 1e6
            times = results.rate[benchmark] / results.rate[of["scalar"]]
            colour = colour_of(kernel)
            drawing.text(left - 7, y + 10, kernel, colour=colour, size=10.5, anchor="end")
            drawing.bar(left, y + 1, rate * scale, bar - 2, colour, f"{benchmark}: {rounded(rate)} million SEE/s, "
                        f"{rounded(1e3 / rate)} ns a SEE", data_benchmark=benchmark)
            words = rounded(rate) + ("" if kernel == "scalar" else f" ({times:.1f}\u00d7)")
            drawing.text(left + rate * scale + 6, y + 10.5, words, colour="ink halo", size=10.5)
            y += bar
        y += gap
    return drawing


def shapes(results):
    results.need([f"{shape}/scalar" for shape in SHAPES], "the chart of shapes")
    groups = []
    for shape, what in SHAPES.items():
        kernels = results.kernels()
        if shape.startswith("hot/"):  # one request a call: all kernels pass it on to the scalar code
            kernels = [kernel for kernel in kernels if kernel in ("scalar", "textbook")]
        groups.append((shape, what, {kernel: f"{shape}/{kernel}" for kernel in kernels}))
    return bars(results, "Throughput by shape of the request, and kernel",
                "Rule set swap. Behind each bar millions of SEE a second, and times the library\u2019s scalar code.",
                groups)


def rule_sets(results):
    names = {rules: "" if rules == "swap" else f"/{rules}" for rules in RULES}
    results.need([f"bulk/value/scalar{ending}" for ending in names.values()], "the chart of rule sets")
    kernels = [kernel for kernel in results.kernels() if kernel != "textbook"]
    groups = [(rules, RULES[rules], {kernel: f"bulk/value/{kernel}{ending}" for kernel in kernels})
              for rules, ending in names.items()]
    return bars(results, "Rule sets in bulk, by kernel",
                "Values of the captures of many positions. Behind each bar millions of SEE a second, and times scalar "
                "under the same rules.", groups)


# ---- Lines -----------------------------------------------------------------------------------------------------------


def spread_labels(wanted, distance):
    """The nearest places to those wanted, in the same order, that are so far apart."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [wanted[i] for i in order]
    for _ in range(100):
        for i in range(1, len(placed)):
            lack = distance - (placed[i] - placed[i - 1])
            if lack > 1e-6:
                placed[i - 1] -= lack / 2
                placed[i] += lack / 2
    return [y for _, y in sorted(zip(order, placed))]


def batch_panel(drawing, results, form, left, width, top, bottom, marks):
    """One form: a line a kernel over the batch sizes, with its name and its value in bulk at its end."""
    scale = (bottom - top) / marks[-1]
    xs = [left + width * (i + 0.5) / len(BATCHES) for i in range(len(BATCHES))]
    for mark in marks:
        y = bottom - mark * scale
        drawing.line(left, y, left + width, y)
        if form == FORMS[0]:  # the panels have one scale
            drawing.text(left - 7, y + 4, plain(mark), colour="faint", size=11, anchor="end", data_tick=plain(mark),
                         data_at=y)
    for x, batch in zip(xs, BATCHES):
        drawing.text(x, bottom + 17, batch.replace("one-", ""), colour="faint", size=11, anchor="middle")
    drawing.text(left + width / 2, bottom + 34, "moves of one position a call; bulk: 4,096 positions", colour="faint",
                 size=10.5, anchor="middle")
    drawing.text(left, top - 14, {"value": "values", "ge": "value \u2265 0"}[form], size=12.5, font_weight=600)
    ends = []
    for i, kernel in enumerate(results.kernels()):
        names = [(x, f"{batch}/{form}/{kernel}") for x, batch in zip(xs, BATCHES)]
        points = [(x, bottom - results.nanoseconds(name) * scale, name) for x, name in names if name in results.rate]
        if not points:
            continue
        colour = colour_of(kernel)
        if len(points) > 1:
            drawing.polyline([(x, y) for x, y, _ in points], colour)
        for x, y, name in points:
            drawing.marker(MARKERS[i % len(MARKERS)] if kernel != "textbook" else "diamond", x, y, colour,
                           f"{name}: {rounded(results.nanoseconds(name))} ns", data_benchmark=name)
        ends.append((points[-1][1], f"{kernel} {rounded(results.nanoseconds(points[-1][2]))}", colour))
    for y, (_, words, colour) in zip(spread_labels([end[0] for end in ends], 15), ends):
        drawing.text(xs[-1] + 11, y + 4, words, colour=colour, size=11.5, font_weight=600)


def batch_sizes(results):
    results.need([f"{batch}/{form}/scalar" for batch in BATCHES for form in FORMS], "the chart of batch sizes")
    drawing = frame(results, 410, "Nanoseconds a SEE by batch size, and kernel",
                    "Rule set swap. At the end of each line its value in bulk. Lower is better.")
    names = [f"{batch}/{form}/{kernel}" for batch in BATCHES for form in FORMS for kernel in results.kernels()]
    marks = ticks(max(results.nanoseconds(name) for name in names if name in results.rate), 8)
    drawing.text(LEFT, 82, "ns", colour="faint", size=11)
    for i, form in enumerate(FORMS):
        batch_panel(drawing, results, form, left=56 + i * 384, width=282, top=96, bottom=312, marks=marks)
    return drawing


FIGURES = {"batch-sizes": batch_sizes, "shapes": shapes, "rule-sets": rule_sets}
