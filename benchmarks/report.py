#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one page of result files of --json: figures, pictures, machines, and all that failed.

    ./ado report run.json                      writes report.html beside the first file
    ./ado report cpu.json gpu.json -o page.html
    ./ado report run.json --svg FOLDER         the pictures as files too; --png FOLDER needs rsvg-convert

The page is one file that needs no network. The standard library is enough: pictures drawn here follow the
page's light or dark theme, which those of a plotting library do not.
"""
import argparse
import pathlib
import shutil
import subprocess

from figures import Run, pennycook, platforms_of, refuse, serious, troubles
from measured import write_whole
from page import answers, headline, page
from pictures import all_pictures, readable


def summary(runs):
    """The figures of the page's top and Pennycook's metric as text."""
    lines = [f"{way:>16}  {words}" + (f"  ({file})" if len(runs) > 1 else "") for file, way, words in answers(runs)]
    lines += [f"{number:>16}  {words}" for number, words in headline(runs)]
    metrics = pennycook(runs)
    if len(platforms_of(runs)) > 1:
        lines += ["", "Pennycook's metric over " + "; ".join(platforms_of(runs))]
        lines += ["  no problem of the same sizes was measured on all of them; --sizes small gives each run the same"] if not metrics else [
            f"{'application':>12} {'architectural':>14}"]
        lines += [f"{app_metric:12.3f} {arch_metric:14.3f}  {app}, {readable(name)}"
                  for name, app, app_metric, arch_metric in metrics]
    return lines


def save_pictures(pictures, folder, as_png):
    converter = shutil.which("rsvg-convert")
    if as_png and not converter:
        refuse("--png: rsvg-convert is missing (Debian's package librsvg2-bin); --svg works without it")
    folder.mkdir(parents=True, exist_ok=True)
    for key, (_, _, picture) in pictures.items():
        text = picture.svg(alone=True)
        if as_png:
            subprocess.run([converter, "-o", folder / f"{key}.png"], input=text.encode(), check=True)
        else:
            (folder / f"{key}.svg").write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="ado report", description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", metavar="FILE.json", help="what --json wrote; several: several platforms")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="PAGE.html", help="default: report.html beside the first")
    parser.add_argument("--title", default="Kokkos beside native kernels")
    parser.add_argument("--svg", type=pathlib.Path, metavar="FOLDER", help="saves the pictures there")
    parser.add_argument("--png", type=pathlib.Path, metavar="FOLDER", help="the same as PNG; needs rsvg-convert")
    arguments = parser.parse_args()
    try:
        make(arguments)
    except OSError as error:
        refuse(f"{error.filename}: cannot be written: {error.strerror}; name another place")


def make(arguments):
    runs = [Run(path) for path in arguments.results]
    output = arguments.output or runs[0].path.parent / "report.html"
    for run in runs:
        if run.path.resolve() == output.resolve():
            refuse(f"{output}: is a result file; name another page with -o")
    pictures = all_pictures(runs)
    for folder, as_png in ((arguments.svg, False), (arguments.png, True)):
        if folder:
            save_pictures(pictures, folder, as_png)
    write_whole(output, page(runs, arguments.title))
    print("\n".join(summary(runs)))
    failed = sum(map(serious, troubles(runs)))
    if failed:
        print(f"{failed} result{'s' if failed > 1 else ''} FAILED OR NOT VERIFIED: see the page")
    print(f"page: {output}")


if __name__ == "__main__":
    main()
