"""Drawings in SVG: lines, bars, markers and text, with one set of colours for a light page and one for a dark one.

Each drawing paints its own background, so that it is legible wherever it is shown. It needs no fonts and no scripts,
and the same calls give the same bytes. Lengths are pixels; y grows downwards."""
from html import escape

# By what is drawn: on a light page, on a dark one. The kernels' colours are told apart by the colour-blind too (after
# Okabe and Ito), and have a contrast of 4.5 and more to the background, as text needs.
COLOURS = {
    "page": ("#ffffff", "#0d1117"),
    "ink": ("#1f2328", "#e6edf3"),
    "faint": ("#59636e", "#9198a1"),
    "grid": ("#d8dee4", "#2a313a"),
    "scalar": ("#5c636b", "#a9b1ba"),
    "avx2": ("#0068a8", "#58b4ea"),
    "avx512": ("#b84300", "#ff9a4d"),
    "textbook": ("#0b7a5c", "#3fcba0"),
    "other1": ("#8a3f86", "#dc95d4"),
    "other2": ("#7a6200", "#e0c341"),
}
FONT = "-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, 'DejaVu Sans', sans-serif"


def number(x):
    """A coordinate: two decimals at most, without needless zeros."""
    return f"{round(x, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _attributes(attributes):
    """fill_opacity=1 becomes fill-opacity="1"; class_ becomes class."""
    return "".join(f" {name.rstrip('_').replace('_', '-')}=\"{escape(number(x) if isinstance(x, float) else str(x))}\""
                   for name, x in attributes.items() if x is not None)


class Drawing:
    def __init__(self, width, height, title, description):
        self.width, self.height = width, height
        self.title, self.description = title, description
        self.parts = []

    def add(self, tag, content=None, **attributes):
        self.parts.append(f"<{tag}{_attributes(attributes)}" + ("/>" if content is None else f">{content}</{tag}>"))

    def text(self, x, y, words, colour="ink", size=12, anchor="start", **attributes):
        self.add("text", escape(words), x=float(x), y=float(y), class_=colour, font_size=size,
                 text_anchor=None if anchor == "start" else anchor, **attributes)

    def line(self, x1, y1, x2, y2, colour="grid"):
        self.add("path", d=f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}", class_=f"{colour}-line")

    def bar(self, x, y, width, height, colour, hint, **attributes):
        self.add("rect", f"<title>{escape(hint)}</title>", x=float(x), y=float(y), width=float(width),
                 height=float(height), class_=colour, **attributes)

    def polyline(self, points, colour):
        steps = "L".join(f"{number(x)} {number(y)}" for x, y in points)
        self.add("path", d=f"M{steps}", class_=f"{colour}-line", stroke_width=2, stroke_linejoin="round")

    def marker(self, shape, x, y, colour, hint, **attributes):
        """A point of a line. Its shape says again what its colour says."""
        r = 4
        corners = {"square": ((-r, -r), (r, -r), (r, r), (-r, r)), "triangle": ((0, -r - 1), (r + 1, r), (-r - 1, r)),
                   "diamond": ((0, -r - 1.5), (r + 1.5, 0), (0, r + 1.5), (-r - 1.5, 0)), "circle": None}[shape]
        about = {"class_": colour, "data_x": float(x), "data_y": float(y), **attributes}
        title = f"<title>{escape(hint)}</title>"
        if corners is None:
            self.add("circle", title, cx=float(x), cy=float(y), r=r, **about)
        else:
            outline = "L".join(f"{number(x + a)} {number(y + b)}" for a, b in corners)
            self.add("path", title, d=f"M{outline}Z", **about)

    def source(self):
        def rules(page):
            return "".join(f".{name}{{fill:{pair[page]}}}.{name}-line{{stroke:{pair[page]};fill:none}}"
                           for name, pair in COLOURS.items()) + f".halo{{stroke:{COLOURS['page'][page]}}}"
        style = (f"text{{font-family:{FONT}}}.halo{{paint-order:stroke;stroke-width:3}}{rules(0)}"
                 f"@media (prefers-color-scheme:dark){{{rules(1)}}}")
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" role="img" aria-labelledby="title description">')
        return "\n".join([head, "<!-- made by scripts/charts; change that, not this -->",
                          f'<title id="title">{escape(self.title)}</title>',
                          f'<desc id="description">{escape(self.description)}</desc>',
                          f"<style>{style}</style>",
                          f'<rect width="{self.width}" height="{self.height}" rx="6" class="page"/>',
                          *self.parts, "</svg>"]) + "\n"
