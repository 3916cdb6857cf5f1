# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws charts as SVG with the standard library alone. Colours are classes, so that one picture follows
a page's light or dark theme; alone it brings the light one."""
import html
import math

WIDTH = 480  # of every picture; on a phone it then still is read without zooming
LIGHT = {"ink": "#1b1f24", "soft": "#59636e", "grid": "#dde1e6", "paper": "#ffffff", "portable": "#1f5fa8",
         "native": "#c25e00", "third": "#2c7a3f", "fourth": "#8a3fa0", "fifth": "#a8323e", "bad": "#b42318"}
DARK = {"ink": "#e6e9ed", "soft": "#a3adb8", "grid": "#39424d", "paper": "#14181d", "portable": "#6aaeff",
        "native": "#ffa14f", "third": "#62c97b", "fourth": "#d195e6", "fifth": "#ff8a8a", "bad": "#ff7b72"}
SERIES = ("portable", "native", "third", "fourth", "fifth")


def style(colours, scope="svg"):
    """Rules for the classes of the pictures."""
    rules = [f"{scope} text{{font:13px system-ui,sans-serif;fill:{colours['ink']}}}",
             f"{scope} text.soft{{fill:{colours['soft']}}}"]
    for name, colour in colours.items():
        rules.append(f"{scope} .fill-{name}{{fill:{colour}}} {scope} .line-{name}{{stroke:{colour};fill:none}}")
    return "\n".join(rules)


class Picture:
    def __init__(self, height, title):
        self.height, self.title, self.items = height, title, []

    def line(self, points, colour, width=1.0, dash=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.items.append(f'<polyline class="line-{colour}" stroke-width="{width}" points="{path}"{dashes}/>')

    def bar(self, x, y, width, height, colour, tip=""):
        self.items.append(f'<rect class="fill-{colour}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" '
                          f'height="{height:.1f}">{self._tip(tip)}</rect>')

    def dot(self, x, y, colour, tip="", radius=4.0, hollow=False):
        look = f'class="line-{colour}" stroke-width="2"' if hollow else f'class="fill-{colour}"'
        self.items.append(f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="{radius}">{self._tip(tip)}</circle>')

    def text(self, x, y, words, anchor="start", soft=False):
        self.items.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
                          f'{" class=" + chr(34) + "soft" + chr(34) if soft else ""}>{html.escape(str(words))}</text>')

    @staticmethod
    def _tip(tip):
        return f"<title>{html.escape(tip)}</title>" if tip else ""

    def legend(self, y, entries, x=0):
        """(words, colour) each, broken into lines; returns the height that it took."""
        top, place = y, x
        for words, colour in entries:
            width = 26 + 8 * len(words)
            if place > x and place + width > WIDTH:
                place, y = x, y + 18
            self.bar(place, y - 9, 10, 10, colour)
            self.text(place + 15, y, words)
            place += width
        return y - top + 18

    def svg(self, alone=False):
        looks = f"<style>{style(LIGHT)}</style><rect class='fill-paper' width='100%' height='100%'/>" if alone else ""
        size = f' width="{WIDTH * 2}" height="{self.height * 2:.0f}"' if alone else ""
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height:.0f}"{size} role="img">'
                f"<title>{html.escape(self.title)}</title>{looks}{''.join(self.items)}</svg>")


class Axis:
    """From a range of values to a range of places on the paper; logarithmic, or linear from 0."""

    def __init__(self, low, high, start, end, logarithmic=True):
        if logarithmic and not high > low:
            low, high = low / 2, high * 2
        self.low, self.high, self.start, self.end, self.logarithmic = low, high, start, end, logarithmic

    def __call__(self, value):
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        """Values worth a line: powers of ten, and some between them where there are few."""
        if not self.logarithmic:
            return [self.low + k * (self.high - self.low) / 5 for k in range(6)]
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for factors in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.1, 1.2, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)):
            values = [f * 10.0**p for p in powers for f in factors if self.low <= f * 10.0**p <= self.high * 1.0001]
            if len(values) >= 3:
                break
        if len(values) < 2:
            values = [self.low * (self.high / self.low) ** share for share in (0.1, 0.5, 0.9)]
        return values[:: 1 + len(values) // 8]


def short(value):
    """12 characters at most: 0.0123, 4.57, 1234, 2e+06."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}" if abs(value) < 1e5 else f"{value:.0e}".replace("e+0", "e")


def frame(picture, x, y, x_title, y_title):
    """Grid and labels of a chart with two axes."""
    for value in x.ticks():
        picture.line([(x(value), y.start), (x(value), y.end)], "grid")
        picture.text(x(value), y.start + 17, short(value), "middle", soft=True)
    for value in y.ticks():
        picture.line([(x.start, y(value)), (x.end, y(value))], "grid")
        picture.text(x.start - 6, y(value) + 4, short(value), "end", soft=True)
    picture.text((x.start + x.end) / 2, y.start + 36, x_title, "middle", soft=True)
    picture.text(0, y.end - 10, y_title, soft=True)
