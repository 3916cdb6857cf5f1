# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a report: one HTML file that needs nothing else. Everything that comes from a result file goes
through escape()."""
import html

from figures import (BEST, application, best_portable, best_ratios, geometric_mean, pennycook, platforms_of, portability, ratio_of, serious,
                     troubles)
from pictures import all_pictures, readable
from svg import DARK, LIGHT, style

CSS = """
body{margin:0 auto;max-width:1040px;padding:16px;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{margin:.2em 0}h2{margin:2em 0 .5em;border-bottom:1px solid var(--grid)}h3{margin:.2em 0;font-size:1rem}
.soft{color:var(--soft)}.tiles{display:flex;flex-wrap:wrap;gap:12px}.tile{border:1px solid var(--grid);border-radius:8px;padding:10px 16px}
.answer table{font-size:1rem;margin:0 0 16px}.answer td.name{min-width:4.5em}.answer th{white-space:normal}
.tile b{display:block;font-size:1.7rem}.loud{border:3px solid var(--bad);border-radius:8px;padding:4px 16px;margin:16px 0}
.loud h2,.bad{color:var(--bad);font-weight:bold;border:0;margin-top:.5em}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));gap:24px}
figure{margin:0;break-inside:avoid}svg{width:100%;height:auto}.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.85rem}th,td{padding:3px 10px;text-align:left;border-bottom:1px solid var(--grid);white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}dt{font-weight:bold}dd{margin:0 0 .6em 0}
th{cursor:pointer}th[aria-sort=ascending]:after{content:" ↑"}th[aria-sort=descending]:after{content:" ↓"}
td.why{white-space:normal;min-width:10em;overflow-wrap:anywhere}td.name{overflow-wrap:anywhere;white-space:normal;min-width:10em}
@media print{body{max-width:none;font-size:11px}details::details-content{content-visibility:visible;block-size:auto}.wide{overflow:visible}h2{break-after:avoid}tr{break-inside:avoid}td,th{padding:1px 4px;white-space:normal}}
"""

# On a click on the head of a column; what is no number comes last.
SORT = """
for (const head of document.querySelectorAll("th")) head.onclick = () => {
  const table = head.closest("table"), column = head.cellIndex, rows = [...table.tBodies[0].rows];
  const down = head.getAttribute("aria-sort") === "ascending";
  const text = row => row.cells[column].textContent, number = row => parseFloat(text(row));
  const by_number = rows.some(row => !isNaN(number(row)));
  rows.sort((a, b) => by_number ? (isNaN(number(a)) - isNaN(number(b))) || (number(a) - number(b)) * (down ? -1 : 1)
                                : text(a).localeCompare(text(b)) * (down ? -1 : 1));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  table.tBodies[0].append(...rows);
};
"""

DEFINITIONS = [
    ("ms", "median of the timed runs; the line through a dot of a ladder goes from the first to the third quartile"),
    ("GB/s", "all inputs and outputs, moved once each, over ms; 1 GB = 1e9 bytes"),
    ("portable/native", "time over time; with an interval: of runs in turn (Hodges-Lehmann estimate, 95 % by Wilcoxon's "
     "signed ranks). Below 1 the portable variant is faster"),
    ("geometric mean", "the root of the product of the ratios of the best portable variant over that by hand, one for each "
     "problem; of all pairs where no file has that variant"),
    ("of ceiling", "the least time that the ceilings measured in the same process allow, over ms; above 1 the cache "
     "helped or the ceiling was disturbed"),
    ("ridge point", "operations a byte from which on the peak of multiply-adds, and no longer the read bandwidth, is the "
     "limit; both are measured"),
    ("application efficiency", "least time of any variant on that problem and platform, over this one"),
    ("architectural efficiency", "the share of the ceiling"),
    ("Pennycook's metric", "harmonic mean of an efficiency over all platforms; 0 where the variant did not run on one of "
     "them or was wrong. Only for problems of the same sizes that were measured on all of them. portable is Kokkos on "
     "each, native what was written by hand for each: CUDA or OpenMP"),
    ("navigation chart", "Pennycook's metric over code convergence (Pennycook, Sewall, Jacobsen, Deakin, McIntosh-Smith, 2021). "
     "Its ways are Kokkos' variants plain, team and tuned, and the best by hand. Here the application efficiency is the least "
     "time of these four over this one; pairs of runs give the times. One harmonic mean goes over all problems and platforms. "
     "Problems have the same sizes on all platforms; where each platform has one size of an algorithm and type, sizes may differ"),
    ("code convergence", "share of the source lines of a kernel that both backends compile, of all algorithms together. By hand "
     "it is 0 where the records have no line counts"),
    ("verified", "each element was within the a-priori bound of its error, and the inputs unchanged"),
]


def escape(value):
    return html.escape(str(value))


def digits(value, form="{:.4g}"):
    return form.format(value) if value is not None else ""


def interval(ratio):
    if ratio is None:
        return ""
    value, low, high = ratio
    if low is None or high is None:
        return f"{value:.3f}"
    return f"{value:.3f} (" + ("too noisy" if portability.is_open(low, high) else f"{low:.3f} to {high:.3f}") + ")"


def table(titles, rows):
    """`titles`: (words, class of the cells); cells are escaped."""
    head = "".join(f'<th class="{kind}">{escape(words)}</th>' for words, kind in titles)
    body = "".join("<tr>" + "".join(f'<td class="{kind}">{escape(cell)}</td>' for cell, (_, kind) in zip(row, titles))
                   + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def answers(runs):
    """[(file, way, answer)]: what the end of each run says of plain, team and tuned, and of the machine."""
    found = []
    for run in runs:
        found += [(run.path.name, way, words) for way, (*_, words) in portability.answers(run.entries).items()]
        found += [(run.path.name, "", f"warning: {words}") for words in run.context.get("warnings", [])]
    return found


def answer_box(runs):
    lines, titles = answers(runs), [("file", "name"), ("Kokkos", ""), ("time, geometric mean of all problems", "why")]
    shown = slice(0 if len(runs) > 1 else 1, None)  # one file needs no name
    return f'<div class="answer">{table(titles[shown], [line[shown] for line in lines])}</div>' if lines else ""


def headline(runs):
    """[(number, what it is)] of the top of the page. What `answers` says stands nowhere else."""
    ratios = {} if any(way for _, way, _ in answers(runs)) else best_ratios(runs)
    every = [r for values in ratios.values() for r in values]
    entries = [entry for run in runs for entry in run.entries]
    tiles = []
    if every:
        tiles.append((f"{geometric_mean(every):.3f}", f"time of Kokkos over native, geometric mean of {len(every)}"))
        tiles += [(f"{geometric_mean(values):.3f}", f"{algorithm}: Kokkos over native, of {len(values)}")
                  for algorithm, values in ratios.items()]
    count = len(platforms_of(runs))
    for side in ("portable", "native") if count > 1 else ():
        best = best_portable(entries) if side == "portable" else BEST
        metrics = [line for line in pennycook(runs) if line[1] == f"{side}_{best}"]
        for place, kind in ((2, "application"), (3, "architectural")) if metrics else ():
            values = [line[place] for line in metrics]
            what = f"Pennycook's metric over {count} platforms, {kind}"
            tiles.append((f"{min(values):.3f} to {max(values):.3f}", f"{what}: {side}_{best}, of {len(values)}"))
    verified = sum(entry.get("verified") is True for entry in entries)
    skipped = sum(str(entry.get("error_message", "")).startswith("has no ") for entry in entries)
    tiles.append((f"{verified} of {len(entries) - skipped}", "results verified"))
    return tiles


def trouble_box(runs):
    found = troubles(runs)
    if not found:
        return "<p>Every result ran and was verified.</p>"
    loud = [t for t in found if serious(t)]
    rows = lambda some: table([("file", ""), ("what", "name"), ("why", "why")], some)
    box = f'<section class="loud"><h2>Failed or not verified: {len(loud)}</h2>{rows(loud)}</section>' if loud else ""
    rest = [t for t in found if not serious(t)]
    if rest:
        box += f"<details><summary>{len(rest)} remarks: types that a variant has not, shares above 1</summary>{rows(rest)}</details>"
    return box


def machine(run):
    c = run.context
    facts = [(key, c.get(key)) for key in ("date", "host_name", "cpu", "device", "backend", "ado_version", "compiler",
                                           "compiler_flags")]
    facts += [*c.get("device_facts", {}).items(), *c.get("environment", {}).items()]
    facts += [(f"measured {name}", f"{run.ceiling(key) / 1e9:.1f} {unit}") for name, key, unit in
              (("read", "read_bytes_per_second", "GB/s"), ("write", "write_bytes_per_second", "GB/s"),
               ("copy", "copy_bytes_per_second", "GB/s"), ("f32", "f32_flops", "GFLOP/s"), ("f64", "f64_flops", "GFLOP/s"))]
    facts.append(("command line", " ".join(map(str, c.get("command_line", [])))))
    rows = [(key, value) for key, value in facts if value]
    return f"<h3>{escape(run.path.name)}</h3>" + table([("", ""), ("", "why")], rows)


def metric_section(runs):
    platforms, title = platforms_of(runs), "<h2>Pennycook's metric</h2>"
    if len(platforms) < 2:
        return ""
    lines = [(readable(name), app, f"{app_metric:.3f}", f"{arch_metric:.3f}")
             for name, app, app_metric, arch_metric in pennycook(runs)]
    names = "".join(f"<li>{escape(platform)}</li>" for platform in platforms)
    if not lines:
        return f"{title}<p>No problem of the same sizes was measured on all of these platforms (--sizes small gives each run the same):</p><ul>{names}</ul>"
    return (f"{title}<p>Over these platforms:</p><ul>{names}</ul><details{' open' if len(lines) < 30 else ''}><summary>"
            f"{len(lines)} variants</summary>" +
            table([("problem", "name"), ("variant", ""), ("application", "n"), ("architectural", "n")], lines) + "</details>")


def full_table(runs):
    rows = []
    for run in runs:
        for e in run.entries:
            ms = e.get("ms")
            rows.append((run.path.name, readable(e["name"].split("/")[0] + "/" + "/".join(e["name"].split("/")[2:])),
                         application(e), digits(ms), digits(e["bytes"] / ms / 1e6 if ms and e.get("bytes") else None),
                         interval(ratio_of(e, run.entries)), digits(e.get("share_of_ceiling"), "{:.2f}"),
                         e.get("limiter_estimated", ""), interval((e["speedup"], e.get("speedup_low"), e.get("speedup_high")) if e.get("speedup") else None),
                         "verified" if e.get("verified") is True else str(e.get("error_message") or e.get("reason") or "NOT VERIFIED")))
    return table([("file", ""), ("problem", "name"), ("variant", ""), ("ms", "n"), ("GB/s", "n"), ("portable/native", "n"),
                  ("of ceiling", "n"), ("limiter, estimated", ""), ("speedup", "n"), ("verdict", "why")], rows)


def figures_html(pictures):
    return '<div class="pictures">' + "".join(
        f'<figure id="{escape(key)}"><h3>{escape(title)}</h3><div class="soft">{escape(place)}</div>{picture.svg()}</figure>'
        for key, (title, place, picture) in pictures.items()) + "</div>"


def page_of(title, machines, body):
    """A page with the look of a report. `machines` and `body` are HTML."""
    variables = lambda colours: ";".join(f"--{name}:{colour}" for name, colour in colours.items())
    look = (f":root{{color-scheme:light dark;{variables(LIGHT)}}}{style(LIGHT)}\n@media screen and (prefers-color-scheme: dark)"
            f"{{:root{{{variables(DARK)}}}{style(DARK)}}}{CSS}")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>{escape(title)}</title><style>{look}</style></head><body>
<h1>{escape(title)}</h1><p class="soft">{machines}</p>
{body}<script>{SORT}</script></body></html>
"""


def page(runs, title):
    tiles = "".join(f'<div class="tile"><b>{escape(number)}</b>{escape(words)}</div>' for number, words in headline(runs))
    definitions = "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in DEFINITIONS)
    return page_of(title, escape("; ".join(platforms_of(runs))), f"""{answer_box(runs)}<div class="tiles">{tiles}</div>{trouble_box(runs)}
<h2>Pictures</h2>{figures_html(all_pictures(runs))}
{metric_section(runs)}
<h2>Machines</h2>{"".join(machine(run) for run in runs)}
<h2>All results</h2><p class="soft">A click on a column's head sorts by it.</p>{full_table(runs)}
<h2>What the figures mean</h2><dl>{definitions}</dl>""")
