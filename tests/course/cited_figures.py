#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether each figure that a lesson or sources.md cites stands where it is cited from.

usage: cited_figures.py DOCS

What is looked at: on sources.md the column `here` of each row, on a lesson each table whose caption links to a page or
names a file and has no command of its own, and each sentence that links to a page. A cited file is a page, a result file of
the mini-app, or what a profiler wrote. A figure may also be the quotient of two others in the same place.
"""
import csv
import gzip
import itertools
import json
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)")
RECORD = re.compile(r"\b([\w./-]+\.(?:json\.gz|csv))\b")
# At least three digits, with a point or a unit: fewer are found anywhere.
FIGURE = re.compile(r"(?<![\w.,^-])(\d+\.\d+|\d{3,}(?= (?:ms|us|GB/s)))(?![\w^]|\.\d)")


def figures(text):
    text = re.sub(r"(CUDA|Kokkos) [\d.]+", "", LINK.sub("](", text))  # no names of files, no versions
    return [found for found in FIGURE.findall(text) if len(found.replace(".", "").lstrip("0")) >= 3]


def numbers_of(path):
    """All numbers of a file, in all units."""
    if path.suffix == ".csv":
        cells = (cell.replace(",", "") for row in csv.reader(path.open()) for cell in row)
        found = {float(cell) for cell in cells if re.fullmatch(r"-?\d+(\.\d+)?", cell)}
    else:
        found = set(numbers_in(json.loads(gzip.decompress(path.read_bytes()))))
    return [value * 1000.0**power for value in found for power in range(-4, 2)]


def numbers_in(value):
    if isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(one)
    elif type(value) in (int, float):
        yield value


def is_rounded(figure, values):
    digits = len(figure.partition(".")[2])
    return any(f"{value:.{digits}f}" == figure for value in values)


class Sources:
    """What the cited files say, each read once."""

    def __init__(self, docs):
        self.docs, self.kept = docs, {}

    def of(self, page, text):
        named = [(page.parent / link).resolve() for link in LINK.findall(text) if "://" not in link]
        for name in RECORD.findall(text):
            named += [self.docs.parent / name, self.docs.parent / "benchmarks/results" / name, self.docs.parent / "tests/data" / name]
        return [path for path in dict.fromkeys(named) if path.is_file() and path.suffix in (".md", ".gz", ".csv")]

    def says(self, path, figure):
        if path not in self.kept:
            self.kept[path] = path.read_text() if path.suffix == ".md" else numbers_of(path)
        known = self.kept[path]
        if isinstance(known, list):
            return is_rounded(figure, known)
        return any(re.search(rf"(?<![\d.]){re.escape(spelling)}(?!\d|\.\d)", known) for spelling in spellings(figure))


def spellings(figure):
    """With and without zeros at its end, unless too little is left to be told from other numbers."""
    short = figure.rstrip("0").rstrip(".") if "." in figure else figure
    return {figure, short} if len(short.replace(".", "")) > 1 else {figure}


def quotients(all_figures):
    values = [float(figure) for figure in all_figures]
    return [a / b for a, b in itertools.permutations(values, 2) if b]


def rows_of_sources(page):
    for number, line in enumerate(page.read_text().splitlines(), 1):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5:
            yield number, cells[4], " ".join(cells[1:3] + cells[4:]), cells[3]


def captioned(page):
    """Tables, each with its caption in parentheses: the line, the text, the caption, and what others published."""
    blocks = re.split(r"\n{2,}", page.read_text())
    line = 1
    for block, caption in zip(blocks, blocks[1:]):
        caption = re.match(r"\((?:[^()]|\([^()]*\))*\)", caption)
        if block.startswith("|") and caption and "miniapp --" not in caption[0]:
            others = [number for number, title in enumerate(block.split("\n")[0].split("|")) if "published" in title]
            rows = [row.split("|") for row in block.split("\n")]
            ours = "|".join(cell for row in rows for number, cell in enumerate(row) if number not in others)
            yield line, ours, caption[0], ""
        line += block.count("\n") + 2


def sentences(page):
    """Each sentence of the text, with its own links."""
    line = 1
    for block in re.split(r"\n{2,}", page.read_text()):
        if not re.match(r"[|#`!<]|    |\*\*Elsewhere", block):
            for sentence in re.split(r"(?<=[.:])\)?\s+(?=[A-Z(*`\[])", block):
                yield line, sentence, sentence, ""
        line += block.count("\n") + 2


def main():
    docs = pathlib.Path(sys.argv[1]).resolve()
    sources, wrong, looked_at = Sources(docs), [], 0
    for page in sorted((docs / "course").glob("*.md")):
        cases = rows_of_sources(page) if page.name == "sources.md" else itertools.chain(captioned(page), sentences(page))
        for line, text, citation, published in cases:
            cited = sources.of(page, citation)
            of_case = figures(text) if cited else []
            for figure in of_case:
                looked_at += 1
                if not any(sources.says(path, figure) for path in cited) and not is_rounded(figure, quotients(of_case + figures(published))):
                    names = ", ".join(str(path.relative_to(docs.parent)) for path in cited)
                    wrong.append(f"{page.relative_to(docs.parent)}:{line}: {figure} is not in {names}")
    print("\n".join(wrong + [f"{looked_at} figures, {len(wrong)} not where they are cited from"]))
    return 1 if wrong or looked_at < 100 else 0


sys.exit(main())
