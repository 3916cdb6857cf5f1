# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a drawing of the course consists of: boxes with words, frames, arrows, notes."""
import html
import textwrap

from svg import DARK, LIGHT, style

WIDTH = 720


class Drawing:
    def __init__(self, height, title, description):
        self.height, self.title, self.description, self.items = height, title, description, []

    def grid(self, x, y, columns, rows, width, height):
        path = "".join([f"M{x + k * width},{y}v{rows * height}" for k in range(columns + 1)] +
                       [f"M{x},{y + k * height}h{columns * width}" for k in range(rows + 1)])
        self.items.append(f'<path class="line-grid" d="{path}"/>')

    def cell(self, x, y, width, height, colour, words="", pale=False):
        """A box with a word in it: what is pale comes later, or is elsewhere."""
        self.items.append(f'<rect class="fill-{colour}" x="{x + 0.5}" y="{y + 0.5}" width="{width - 1}" height="{height - 1}"'
                          f'{" fill-opacity=" + chr(34) + ".3" + chr(34) if pale else ""}/>')
        if words != "":
            self.text(x + width / 2, y + height / 2 + 4.5, words, "middle", "" if pale else "fill-paper")

    def frame(self, x, y, width, height, colour="ink", stroke=2):
        self.items.append(f'<rect class="line-{colour}" stroke-width="{stroke}" x="{x}" y="{y}" width="{width}" '
                          f'height="{height}"/>')

    def line(self, points, colour="soft", stroke=1.5):
        path = " ".join(f"{x},{y}" for x, y in points)
        self.items.append(f'<polyline class="line-{colour}" stroke-width="{stroke}" points="{path}"/>')

    def arrow(self, x, y, to_x, to_y):
        dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        self.line([(x, y), (to_x, to_y)])
        back_x, back_y = to_x - 6 * dx, to_y - 6 * dy
        self.line([(back_x - 4 * dy, back_y - 4 * dx), (to_x, to_y), (back_x + 4 * dy, back_y + 4 * dx)])

    def time(self, x, y, width):
        """An axis."""
        self.arrow(x, y, x + width, y)
        self.text(x + width + 8, y + 4, "time", look="soft")

    def text(self, x, y, words, anchor="start", look=""):
        """Lines, one below the other."""
        for k, line in enumerate(str(words).split("\n")):
            self.items.append(f'<text x="{x}" y="{y + 17 * k}" text-anchor="{anchor}" class="{look}">{html.escape(line)}</text>')

    def note(self, y, words):
        self.text(8, y, "\n".join(textwrap.wrap(words, 104)), look="soft")

    def svg(self):
        return "\n".join((
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" height="{self.height}" role="img">',
            f"<title>{html.escape(self.title)}</title>", f"<desc>{html.escape(self.description)}</desc>",
            f"<style>{style(LIGHT)}", "svg .head{font-weight:bold}", f"@media (prefers-color-scheme: dark){{{style(DARK)}}}</style>",
            '<rect class="fill-paper" width="100%" height="100%"/>', *self.items, "</svg>\n"))
