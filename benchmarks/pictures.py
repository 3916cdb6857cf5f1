# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of a report: ratios, ladder, roofline, sweep, cascade, navigation chart."""
from figures import BEST, application, efficiencies, harmonic_mean, is_native, navigation, platforms_of, portability, problem, timed
from record import stem_of
from svg import SERIES, WIDTH, Axis, Picture, frame, short

WAY_COLOURS = {"plain": "third", "team": "portable", "tuned": "fourth", "by hand": "native"}
MOST_SERIES = len(SERIES)


def shortened(words, most):
    return words if len(words) <= most else words[: most - 1] + "…"


def is_best(app):
    """Whether it is the best portable variant, one source or the best by hand, which every picture shows."""
    return app.split("_", 1)[1] in (BEST, "tuned")


def readable(name):
    """"yax, rows 64, cols 64, f64" of a problem."""
    return ", ".join(name.split("/")).replace("type:", "").replace(":", " ")


def ends_of(entry):
    """Of the interval of its ratio, none where that says nothing."""
    ends = entry.get("portable_over_native_low"), entry.get("portable_over_native_high")
    return () if None in ends or portability.is_open(*ends) else ends


def ratios(entries):
    """Time over that by hand with its interval, problem by problem, of the ways to write Kokkos; of every variant in Kokkos where
    there are none of these. The largest problem of each algorithm and type. None without a ratio."""
    groups = []
    for name, found in largest_problems(entries):
        found = [entry for entry in found if "portable_over_native" in entry and not is_native(entry)]
        groups.append((name, [entry for entry in found if portability.way_of(entry)] or found))
    groups = [(name, found) for name, found in groups if found]
    if not groups:
        return None
    left, right, top = 118, WIDTH - 58, 14
    picture = Picture(top + sum(24 + 20 * len(found) for _, found in groups) + 44, "Time over the best by hand, with 95 % intervals")
    every = [value for _, found in groups for entry in found for value in (entry["portable_over_native"], *ends_of(entry))
             if 0.02 < value < 50]
    axis = Axis(min([0.8, *every]) / 1.03, max([1.25, *every]) * 1.03, left, right)
    bottom = picture.height - 36
    for value in axis.ticks():
        picture.text(axis(value), bottom + 16, short(value), "middle", soft=True)
    picture.text((left + right) / 2, bottom + 32, "times the best by hand (log scale), further left is faster", "middle", soft=True)
    inside = lambda value: axis(min(max(value, axis.low), axis.high))
    y = top
    for name, found in groups:
        picture.text(0, y + 14, shortened(readable(name), 60), soft=True)
        y += 24
        for value in axis.ticks():
            picture.line([(axis(value), y - 2), (axis(value), y + 20 * len(found) - 4)], "grid")
        picture.line([(axis(1), y - 2), (axis(1), y + 20 * len(found) - 4)], "ink", 1.5)
        for entry in found:
            value, ends = entry["portable_over_native"], ends_of(entry)
            colour = WAY_COLOURS.get(portability.way_of(entry), "portable")
            picture.line([(inside(end), y + 7) for end in ends], colour, 2)
            told = " to ".join(f"{end:.4g}" for end in ends) or "no interval, for runs are too few or too noisy"
            picture.dot(inside(value), y + 7, colour, f"{application(entry)}: {value:.4g}, {told}", 5, hollow=not ends)
            picture.text(left - 8, y + 12, shortened(entry["variant"], 16), "end")
            picture.text(right + 8, y + 12, f"{value:.3f}" if value < 2 else f"{value:.2f}" if value < 10 else short(value))
            y += 20
    return picture


def ladder(name, entries, native_name):
    """The median times of one problem as dots, slowest first, each variant with its twin; whiskers are the quartiles."""
    rungs = {}
    for entry in timed(entries):
        rungs.setdefault(application(entry).split("_", 1)[1], []).append(entry)
    order = sorted(rungs, key=lambda rung: -max(e["ms"] for e in rungs[rung]))
    left, right, top = 172, WIDTH - 100, 34
    picture = Picture(top + 24 * len(order) + 48, f"Time of each variant of {readable(name)}")
    times = [e["ms"] for e in timed(entries)]
    axis = Axis(min(times) / 1.5, max(times) * 1.2, left, right)
    picture.legend(12, [("Kokkos (disc)", "portable"), (f"native (ring): {native_name} or a library", "native")])
    bottom = picture.height - 44
    for value in axis.ticks():
        picture.line([(axis(value), top - 6), (axis(value), bottom)], "grid")
        picture.text(axis(value), bottom + 16, short(value), "middle", soft=True)
    picture.text((left + right) / 2, bottom + 34, "ms (log scale), further left is faster", "middle", soft=True)
    for place, rung in enumerate(order):
        y = top + 24 * place + 10
        picture.text(left - 8, y + 4, shortened(rung, 22), "end")
        for entry in sorted(rungs[rung], key=is_native):
            colour = "native" if is_native(entry) else "portable"
            if "first_quartile_seconds" in entry:
                low, high = (min(max(entry[k] * 1e3, axis.low), axis.high) for k in ("first_quartile_seconds", "third_quartile_seconds"))
                picture.line([(axis(low), y), (axis(high), y)], colour, 1.5)
            picture.dot(axis(entry["ms"]), y, colour, f"{application(entry)}: {short(entry['ms'])} ms", 5, hollow=is_native(entry))
        picture.text(right + 8, y + 4, " / ".join(short(e["ms"]) for e in sorted(rungs[rung], key=is_native)))
    return picture


def fastest(points):
    """Of each algorithm and type the fastest point of a roofline: (name, operations a byte, GFLOP/s)."""
    best = {}
    for intensity, speed, entry in points:
        name = f"{entry['algorithm']} {entry.get('type', '')}"
        if speed > best.get(name, (0, 0))[1]:
            best[name] = intensity, speed
    return [(name, *place) for name, place in best.items()]


def name_dots(picture, places):
    """Names above (x, y, name), left of it, where no roofline has dots: together where the dots lie on each other, one above the
    other where only the names would."""
    taken, together = [], []
    for x, y, name in sorted(places):
        if together and abs(x - together[-1][0]) < 6 and abs(y - together[-1][1]) < 6:
            together[-1][2] += ", " + name
        else:
            together.append([x, y, name])
    for x, y, name in together:
        width = 8 * len(name)
        left = max(62, x - 24 - width)
        height = y - 16
        while any(abs(height - other) < 15 and left < end and start < left + width for start, end, other in taken):
            height -= 15
        taken.append((left, left + width, height))
        picture.text(left, height, name)


def roofline(run, entries):
    """Measured roofs, their ridge point, and every variant that computes; None where none does."""
    points = [(e["flops"] / e["bytes"], e["flops"] / (e["ms"] * 1e-3) / 1e9, e) for e in timed(entries)
              if e.get("flops", 0) > 0 and e.get("bytes", 0) > 0]
    roofs = [(label, run.ceiling(f"{label}_bytes_per_second") / 1e9) for label in ("read", "copy", "write")
             if run.ceiling(f"{label}_bytes_per_second") > 0]
    peaks = [(kind, run.ceiling(f"{kind}_flops") / 1e9) for kind in ("f32", "f64") if run.ceiling(f"{kind}_flops") > 0]
    if not points or not roofs or not peaks:
        return None
    picture = Picture(450, f"Roofline of {run.platform}")
    top_speed, bandwidth = max(p for _, p in peaks), max(b for _, b in roofs)
    x = Axis(min(min(p[0] for p in points) / 4, 0.05), max(top_speed / bandwidth * 6, max(p[0] for p in points) * 2), 58, WIDTH - 12)
    y = Axis(min(min(p[1] for p in points), x.low * bandwidth) / 2, top_speed * 2.5, 402, 112)
    cache = run.ceiling("cache_read_bytes_per_second") / 1e9
    if cache > bandwidth:
        roofs.append(("cache", cache))
    frame(picture, x, y, "operations a byte (all arrays moved once)", "GFLOP/s")
    for label, roof in roofs:
        end = min(x.high, top_speed / roof)
        start = max(x.low, y.low / roof)
        picture.line([(x(start), y(start * roof)), (x(end), y(end * roof))], "soft", 2 if label == "read" else 1,
                     "" if label == "read" else "5 4")
    read = roofs[0][1]
    notes = [", ".join(f"{label} {roof:.0f}" for label, roof in roofs) + " GB/s; dashed: all but read"]
    for kind, peak in peaks:
        ridge = peak / read
        picture.line([(x(max(ridge, x.low)), y(peak)), (x(x.high), y(peak))], "soft", 2)
        notes.append(f"{kind} {peak:.0f} GFLOP/s, ridge point at {ridge:.2g} operations a byte")
        if x.low < ridge < x.high:
            picture.dot(x(ridge), y(peak), "ink", f"ridge point of {kind}: {ridge:.3g} operations a byte", 4)
    for intensity, speed, entry in points:
        if y.low < speed:
            picture.dot(x(intensity), y(speed), "native" if is_native(entry) else "portable",
                        f"{readable(entry['name'])}: {speed:.0f} GFLOP/s", 4.5, hollow=is_native(entry))
    name_dots(picture, [(x(intensity), y(speed), name) for name, intensity, speed in fastest(points)])
    picture.legend(12, [("Kokkos (disc)", "portable"), ("native (ring)", "native")])
    for line, words in enumerate(notes):
        picture.text(0, 32 + 17 * line, words, soft=True)
    return picture


def sweep(algorithm, entries):
    """Bandwidth over bytes of one algorithm and type; None with fewer than three sizes."""
    lines = {}
    for entry in timed(entries):
        if entry.get("bytes", 0) > 0:
            lines.setdefault(application(entry), []).append((entry["bytes"], entry["bytes"] / (entry["ms"] * 1e-3) / 1e9))
    lines = {app: sorted(points) for app, points in lines.items() if len(points) >= 3}
    if not lines:
        return None
    wanted = sorted(lines, key=lambda app: (not is_best(app), -max(p[1] for p in lines[app])))[:MOST_SERIES]
    picture = Picture(392, f"Bandwidth of {algorithm} over its size")
    used = picture.legend(12, [(shortened(app, 24), SERIES[k]) for k, app in enumerate(wanted)])
    points = [p for app in wanted for p in lines[app]]
    x = Axis(min(p[0] for p in points) / 1.3, max(p[0] for p in points) * 1.3, 58, WIDTH - 12)
    y = Axis(min(p[1] for p in points) / 1.5, max(p[1] for p in points) * 1.5, 344, used + 34)
    frame(picture, x, y, "bytes moved", "GB/s")
    for k, app in enumerate(wanted):
        picture.line([(x(a), y(b)) for a, b in lines[app]], SERIES[k], 2)
        for a, b in lines[app]:
            picture.dot(x(a), y(b), SERIES[k], f"{app}, {a:.4g} bytes: {b:.4g} GB/s", 3)
    return picture


def cascade(runs, name):
    """Application efficiencies of one problem, each application's best platform first, and behind them
    Pennycook's metric over as many platforms."""
    platforms = platforms_of(runs)
    table = efficiencies(runs)[name]
    apps = {app: sorted((table[p].get(app, (0, 0))[0] for p in platforms), reverse=True)
            for app in dict.fromkeys(a for p in platforms for a in table[p])}
    wanted = sorted(apps, key=lambda app: (not is_best(app), -harmonic_mean(apps[app])))[:MOST_SERIES]
    picture = Picture(360, f"Cascade of {readable(name)}")
    used = picture.legend(12, [(shortened(app, 24), SERIES[k]) for k, app in enumerate(wanted)])
    x, y = Axis(0.8, len(platforms) + 0.4, 58, WIDTH - 12, False), Axis(0, 1, 312, used + 34, False)
    for value in y.ticks():
        picture.line([(x.start, y(value)), (x.end, y(value))], "grid")
        picture.text(x.start - 6, y(value) + 4, f"{value:.1f}", "end", soft=True)
    for count in range(1, len(platforms) + 1):
        picture.text(x(count), y.start + 17, str(count), "middle", soft=True)
    picture.text((x.start + x.end) / 2, y.start + 36, "platforms, each application's best first", "middle", soft=True)
    picture.text(0, y.end - 10, "application efficiency (line), Pennycook's metric so far (dashed)", soft=True)
    for k, app in enumerate(wanted):
        values = apps[app]
        metric = [harmonic_mean(values[: n + 1]) for n in range(len(values))]
        picture.line([(x(n + 1), y(v)) for n, v in enumerate(values)], SERIES[k], 2)
        picture.line([(x(n + 1), y(v)) for n, v in enumerate(metric)], SERIES[k], 1.5, "4 4")
        for n, v in enumerate(values):
            picture.dot(x(n + 1), y(v), SERIES[k], f"{app}: {v:.3f} on its platform {n + 1}", 4)
    return picture


def navigation_chart(chart):
    """A dot for each way to write a kernel: Pennycook's metric over code convergence; up and to the right is better."""
    missing = portability.without_dot(chart)
    picture = Picture(468 if missing else 420, "Pennycook's metric over code convergence")
    x, y = Axis(0, 1, 34, WIDTH - 12, False), Axis(0, 1, 376, 36, False)
    frame(picture, x, y, "code convergence: share of lines that both backends compile",
          "Pennycook's metric Φ of the application efficiency")
    for way, convergence, phi, height, right in portability.dots(chart, 0.05):
        picture.dot(x(convergence), y(phi), WAY_COLOURS[way], f"{way}: Φ {phi:.3f}, code convergence {convergence:.3f}", 5)
        picture.text(x(convergence) + (12 if right else -12), y(height) + 4, f"{way} {phi:.3f}", "start" if right else "end")
    if missing:
        picture.text(0, 440, "no line counts in the records, so no dot:", soft=True)
        picture.text(0, 458, missing, soft=True)
    return picture


def largest_problems(entries):
    """Of each algorithm and type the problem that moves most, with its entries."""
    groups = {}
    for entry in timed(entries):
        groups.setdefault((entry["algorithm"], entry.get("type")), {}).setdefault(problem(entry), []).append(entry)
    for problems in groups.values():
        name = max(problems, key=lambda p: problems[p][0].get("bytes", 0))
        yield name, problems[name]


def all_pictures(runs):
    """{file name: (title, picture)} of everything that there is to draw."""
    pictures = {}
    for number, run in enumerate(runs):
        place = f"{stem_of(run.path)}, {run.context.get('device', '')}"
        native = "OpenMP" if run.on_host else "CUDA"
        pictures[f"{number}_ratios"] = ("Time over the best by hand, with 95 % intervals", place, ratios(run.entries))
        for name, entries in largest_problems(run.entries):
            key = f"{number}_ladder_{entries[0]['algorithm']}_{entries[0].get('type')}"
            pictures[key] = (f"Ladder: {readable(name)}", place, ladder(name, entries, native))
        pictures[f"{number}_roofline"] = ("Roofline", place, roofline(run, run.entries))
        groups = {}
        for entry in timed(run.entries):
            groups.setdefault((entry["algorithm"], entry.get("type")), []).append(entry)
        for (algorithm, kind), entries in groups.items():
            pictures[f"{number}_sweep_{algorithm}_{kind}"] = (f"Sizes: {algorithm} {kind}", place, sweep(algorithm, entries))
    if len(platforms_of(runs)) > 1:
        for number, (name, by_platform) in enumerate(efficiencies(runs).items()):
            if len(by_platform) == len(platforms_of(runs)):
                pictures[f"cascade_{number}"] = (f"Cascade: {readable(name)}", "all files", cascade(runs, name))
    problems, chart = navigation(runs)
    if chart:
        pictures["navigation"] = ("Navigation chart: fast on CPU and GPU (up), from one source (right)", problems,
                                  navigation_chart(chart))
    return {key: what for key, what in pictures.items() if what[2] is not None}
