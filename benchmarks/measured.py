# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pages and pictures made of the mini-app's result files have in common."""
import argparse
import math
import os
import pathlib
import sys
import tempfile

# Not through its package, which needs pandas.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "python/ado_results"))
import portability  # noqa: E402, F401
import record  # noqa: E402, F401
from record import COLOURS, NATIVE, RecordError, platform, sides_of, stem_of  # noqa: E402, F401: others have them from here
from record import load as load_sides  # noqa: E402


def picture_and_results(description, only=()):
    """The command line of a program that prints tables of result files, `only` one of some, and may draw them."""
    parser = argparse.ArgumentParser(description=description)
    if only:
        parser.add_argument("--only", choices=only)
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE.svg")
    parser.add_argument("results", type=pathlib.Path, nargs="+", metavar="FILE.json")
    return parser.parse_args()


def write_whole(path, text):
    """The file appears whole or not at all; what is no plain file, a pipe say, is written as it is. Throws OSError."""
    path = pathlib.Path(path).resolve()
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False, encoding="utf-8") as part:
        try:
            part.write(text)
            part.close()
            os.chmod(part.name, path.stat().st_mode if path.exists() else 0o666 & ~umask())
            os.replace(part.name, path)
        except BaseException:
            os.unlink(part.name)
            raise


def umask():
    old = os.umask(0)
    os.umask(old)
    return old


def require_same_build(context, path, first, first_path):
    """Exits where the file at `path` is of another machine or build than the first one."""
    for key in ("device", "ado_commit"):
        if context[key] != first[key]:
            sys.exit(f"{path}: its {key} is {context[key]}, that of {first_path} is {first[key]}")


def source_of(context):
    """Where and when, and from which commit, the numbers are."""
    return f"{context['device']}; {context['date'][:10]}, commit {context['ado_commit']}."


def best_portable(entries):
    """The best portable variant: `tuned`, where one of the entries is that. Until 2026-11-28 it was named `team`, as by hand."""
    return "tuned" if any(entry["model"] == "kokkos" and entry["variant"] == "tuned" for entry in entries) else "team"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def problem_of(entry):
    """Sizes and type of an entry, as in "rows:1024, cols:512, type:f64"."""
    return entry["name"].split("/", 2)[2].replace("/", ", ")


def markdown_table(titles, rows, words=1):
    """Its lines. The first `words` columns are words and stand left; the others are numbers and stand right."""
    head, *body = ("| " + " | ".join(row) + " |" for row in [titles, *rows])
    return [head, "|---" * words + "|--:" * (len(titles) - words) + "|", *body]


def load(path):
    """The context of a result file, which may be compressed (.gz), and its entries."""
    context, sides = load_sides(path)
    return context, entries_of(sides)


def load_all(paths):
    """The first file's context, and (path, entry) of all files, which must be of one machine and build."""
    first, found = None, []
    for path in paths:
        context, entries = load(path)
        first = first or context
        require_same_build(context, path, first, paths[0])
        found += [(path, entry) for entry in entries]
    return first, found


def entries_of(sides):
    """An entry for each variant of each case: with its median in ms, or without "ms" where it was not
    measured. A native twin may stand in several rows. All its figures are those of the row in the middle,
    for figures of several rows do not belong together; where it failed in one row, it failed."""
    rows = {}
    for side in sides:
        rows.setdefault(side["name"], []).append(side)
    return [entry_of(same) for same in rows.values()]


def entry_of(rows):
    """The one that stands for all: one that failed, else one that nobody verified, else the middle one."""
    bad = [row for row in rows if "ms" not in row] or [row for row in rows if row.get("verified") is not True]
    return bad[0] if bad else sorted(rows, key=lambda row: row["ms"])[len(rows) // 2]


def pyplot():
    """matplotlib.pyplot, set up to write the same file from the same numbers."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "ado", "font.size": 11, "svg.fonttype": "none"})
    import matplotlib.pyplot

    return matplotlib.pyplot


def label_over_bytes(axes, title, ticks):
    """What a panel has that shows ratios, near 1, over the bytes that a problem moves; after its dots."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_title(title, fontsize=11)
    axes.set_xlabel("bytes moved")
    axes.spines[["top", "right"]].set_visible(False)


def save(figure, path):
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
