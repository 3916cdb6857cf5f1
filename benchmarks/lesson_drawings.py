# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the lessons that are about time and places: who waits, who is where, what crosses a link."""
from drawing import Drawing

BLUE, ORANGE, THIRD, GREY = "portable", "native", "third", "soft"


def machine():
    """Lesson 1."""
    drawing = Drawing(330, "A GPU and a CPU",
                      "A GPU has many multiprocessors, each with four schedulers and many warps of 32 lanes. A CPU has few cores, "
                      "each with one fast thread and SIMD registers. Both have memory beside the chip.")
    drawing.text(8, 22, "GPU: many multiprocessors", look="head")
    for k in range(30):
        drawing.cell(8 + k % 10 * 34, 36 + k // 10 * 34, 34, 34, BLUE, "SM", pale=k != 0)
    drawing.text(8, 162, "one of them: four schedulers, places for 64 warps", look="soft")
    for scheduler in range(4):
        drawing.cell(8, 172 + 24 * scheduler, 76, 24, ORANGE, "scheduler")
        for warp in range(6):
            drawing.cell(90 + 43 * warp, 172 + 24 * scheduler, 43, 24, BLUE, "warp" if warp == 0 else "", pale=warp > 0)
    drawing.cell(8, 274, 340, 24, GREY, "memory: sectors of 32 bytes")
    drawing.text(384, 22, "CPU: a few cores", look="head")
    for core in range(4):
        y = 36 + 56 * core
        drawing.cell(384, y, 62, 46, BLUE, "core", pale=core > 0)
        for lane in range(8):
            drawing.cell(452 + 20 * lane, y, 20, 22, ORANGE, "", pale=core > 0)
        drawing.cell(452, y + 24, 160, 22, THIRD, "cache" if core == 0 else "", pale=core > 0)
    drawing.text(620, 52, "SIMD register", look="soft")
    drawing.text(620, 76, "of its own", look="soft")
    drawing.cell(384, 274, 328, 24, GREY, "memory: lines of 64 bytes")
    drawing.note(320, "A warp is 32 lanes. An orange box of the CPU is a number of a SIMD register: its lanes.")
    return drawing


def in_flight():
    """Lesson 3: a thread with four loads."""
    drawing = Drawing(226, "Loads one after the other, and all at once",
                      "A thread that waits for each load before it asks for the next waits four times. One that asks for all "
                      "four first waits once.")
    load, wait = 20, 130
    drawing.text(8, 22, "a load, a sum, the next load: one element in flight", look="head")
    for k in range(4):
        x = 8 + k * (load + wait + 22)
        drawing.cell(x, 34, load, 26, BLUE, k)
        drawing.cell(x + load, 34, wait, 26, BLUE, "waits", pale=True)
        drawing.cell(x + load + wait, 34, 18, 26, ORANGE, "+")
    drawing.text(8, 98, "all loads first: four elements in flight", look="head")
    for k in range(4):
        drawing.cell(8 + load * k, 110, load, 26, BLUE, k)
        drawing.cell(8 + load * 4 + wait - load * 3 + 18 * k, 110, 18, 26, ORANGE, "+")
    drawing.cell(8 + load * 4, 110, wait - load * 3, 26, BLUE, "waits", pale=True)
    drawing.time(8, 160, 292)
    drawing.note(196, "A number is an element: its loads of a and b together. + uses what came. The wait for memory is as long in "
                      "both. A GPU hides it in a second way: other warps ask meanwhile.")
    return drawing


def grid():
    """Lesson 5."""
    drawing = Drawing(300, "One block, and a block for each set",
                      "One block keeps one multiprocessor busy, and the others idle. With a block for each set all work, and the "
                      "last wave may be half empty.")
    drawing.text(60, 22, "one block does all 12 sets", look="head")
    drawing.text(560, 22, "a block a set", look="head")
    for sm in range(8):
        y = 40 + 24 * sm
        drawing.text(52, y + 17, f"SM {sm}", "end", "soft")
        drawing.cell(560, y, 36, 24, BLUE, sm)
        drawing.cell(596, y, 36, 24, ORANGE if sm < 4 else GREY, sm + 8 if sm < 4 else "", pale=sm >= 4)
        if sm > 0:
            drawing.cell(60, y, 36 * 12, 24, GREY, "", pale=True)
    for number in range(12):
        drawing.cell(60 + 36 * number, 40, 36, 24, BLUE, number)
    drawing.time(60, 248, 140)
    drawing.note(278, "A number is a set, grey is idle. 12 blocks on 8 multiprocessors are one and a half waves: blue the first, "
                      "orange the second.")
    return drawing


def race():
    """Lesson 7."""
    drawing = Drawing(300, "A race, and an atomic addition",
                      "Two threads read 5, add one and write 6: one addition is lost. With an atomic addition the second one "
                      "waits until the first has written, and the sum is 7.")
    steps = ("read 5", "add 1", "write 6")
    for y, name, starts, values, result in (
            (40, "a race: both read before one has written", (0, 1), (steps, steps), "6"),
            (152, "atomic: the three steps are one", (0, 3), (steps, ("read 6", "add 1", "write 7")), "7")):
        drawing.text(8, y - 14, name, look="head")
        for thread in range(2):
            drawing.text(80, y + 17 + 32 * thread, f"thread {thread}", "end", "soft")
            for k, step in enumerate(values[thread]):
                drawing.cell(90 + 84 * (starts[thread] + k), y + 32 * thread, 84, 26, (BLUE, ORANGE)[thread], step)
        if starts[1] == 3:
            drawing.frame(90, y, 252, 26)
            drawing.frame(342, y + 32, 252, 26)
        drawing.text(712, y + 34, f"sum: {result}", "end", "head")
    drawing.time(90, 232, 170)
    drawing.note(268, "Which thread comes first is not the same in each run. A race may even be right most of the time.")
    return drawing


def occupancy():
    """Lesson 8."""
    drawing = Drawing(250, "As many loads in flight, with all warps and with a quarter",
                      "64 warps with one load each have 64 loads in flight. 16 warps with four loads each have as many.")
    for x, name, warps, loads in ((8, "64 warps of 32 registers a thread", 64, 1), (376, "16 warps of 128 registers a thread", 16, 4)):
        drawing.text(x, 22, name, look="head")
        for k in range(64):
            drawing.cell(x + k % 16 * 21, 36 + k // 16 * 30, 21, 30, BLUE, loads if k < warps else "", pale=k >= warps)
        drawing.text(x, 180, f"occupancy {100 * warps // 64} %; {warps} x {loads} = {warps * loads} loads in flight")
    drawing.note(216, "A box is a place for a warp on one multiprocessor, with the loads that the warp has asked for; pale: empty, for "
                      "its registers are taken. Occupancy is one way to have enough in flight, and more work a thread is another.")
    return drawing


def stages():
    """Lesson 9: chunks through host, link and device."""
    drawing = Drawing(352, "Chunks in turn, and overlapped",
                      "In turn, each stage waits for the one before it, and only one of host, link and device works. With buffers "
                      "of their own, chunks overlap, and the longest stage sets the pace.")
    names, lengths = ("prepare", "copy in", "kernel", "copy out"), (40, 60, 40, 30)
    colours = (BLUE, ORANGE, THIRD)

    def draw(y, name, begins):
        drawing.text(8, y - 12, name, look="head")
        for k, stage in enumerate(names):
            drawing.text(76, y + 17 + 26 * k, stage, "end", "soft")
        for chunk, starts in enumerate(begins):
            for k, start in enumerate(starts):
                drawing.cell(86 + start, y + 26 * k, lengths[k], 26, colours[chunk], chunk)

    in_turn = [[chunk * 170 + sum(lengths[:k]) for k in range(4)] for chunk in range(3)]
    draw(38, "in turn", in_turn)
    overlapped = [[chunk * 60 + sum(lengths[:k]) for k in range(4)] for chunk in range(3)]
    draw(188, "overlapped, buffers and a queue for each chunk", overlapped)
    drawing.time(86, 310, 154)
    drawing.note(338, "A number is a chunk. Here the copy in is longest: overlapped, the link never idles.")
    return drawing


def schedule():
    """Lesson 10: what a profiler counts in each cycle."""
    drawing = Drawing(258, "A scheduler and its warps, cycle by cycle",
                      "In each cycle a warp is stalled, eligible or issued. If none is eligible, the issue slot stays unused.")
    rows = ("I.......EI......", ".I......I......I", "..I.......I.....", "...I.......I....")
    look = {"I": (BLUE, False), "E": (ORANGE, False), ".": (GREY, True)}
    for warp, row in enumerate(rows):
        drawing.text(76, 57 + 28 * warp, f"warp {warp}", "end", "soft")
        for cycle, state in enumerate(row):
            colour, pale = look[state]
            drawing.cell(86 + 38 * cycle, 40 + 28 * warp, 38, 28, colour, "", pale=pale)
    drawing.text(86, 26, "cycles →", look="soft")
    drawing.text(76, 181, "slot", "end", "soft")
    for cycle in range(16):
        used = any(row[cycle] == "I" for row in rows)
        drawing.cell(86 + 38 * cycle, 164, 38, 28, BLUE if used else GREY, "used" if used else "", pale=not used)
    used = sum(any(row[cycle] == "I" for row in rows) for cycle in range(16))
    drawing.note(222, f"Blue: issued. Orange: eligible, but another one was taken. Grey: stalled, waiting for memory say. {used} of 16 "
                      f"slots are used, an instruction every {16 / used:.1f} cycles. More warps, or shorter waits, would fill the others.")
    return drawing


def cache_sets():
    """Lesson 11: where the lines of a column lie in a first-level cache of 64 sets."""
    drawing = Drawing(266, "A column of a matrix in a cache",
                      "With rows of 4096 bytes all lines of a column fall into one set of the cache, which holds few. With rows of "
                      "4000 bytes they fall into all sets.")
    for y, name, row, words in ((44, "rows of 1024 floats", 4096, "in one set"), (150, "rows of 1000 floats", 4000, "over all sets")):
        drawing.text(8, y - 14, name + ": a column of 42 elements", look="head")
        drawing.text(712, y - 14, words, "end")
        filled = {}
        drawing.grid(8, y, 64, 3, 11, 18)
        for k in range(42):
            place = k * row // 64 % 64
            level = filled[place] = filled.get(place, 0) + 1
            if level <= 3:
                drawing.cell(8 + place * 11, y + 18 * (3 - level), 11, 18, BLUE)
        most = max(filled.values())
        if most > 3:
            drawing.text(26, y + 16, f"and {most - 3} more, which push each other out", look="soft")
        drawing.text(8, y + 70, "set 0", look="soft")
        drawing.text(712, y + 70, "set 63", "end", "soft")
    drawing.note(240, "A box is a line of 64 bytes. A set holds 8 to 12 lines, of which three are drawn. A line has 16 floats of a row; "
                      "if it stays, the next 15 columns find theirs.")
    return drawing


def pairs():
    """Lesson 12."""
    drawing = Drawing(264, "Two kernels in turn, and their ratio",
                      "Portable and native run in pairs, in an order that is drawn. Each pair gives a ratio. The interval says where "
                      "the true ratio lies.")
    order, ratios = "PN NP NP PN NP PN PN NP PN NP", (1.02, 1.05, 0.99, 1.04, 1.03, 1.10, 1.01, 1.04, 1.03, 1.02)
    drawing.text(8, 22, "runs, in pairs; the order in a pair is drawn", look="head")
    for k, pair in enumerate(order.split()):
        for place, side in enumerate(pair):
            drawing.cell(8 + 71 * k + 32 * place, 34, 32, 26, BLUE if side == "P" else ORANGE, side)
    at = lambda ratio: 8 + (ratio - 0.95) * 4000
    drawing.text(8, 100, "a ratio from each pair, and their interval", look="head")
    drawing.line([(8, 158), (712, 158)])
    for k, ratio in enumerate(ratios):  # equal ones stand on each other
        drawing.cell(at(ratio) - 4, 130 - 10 * ratios[:k].count(ratio), 8, 8, BLUE)
    drawing.frame(at(1.01), 144, at(1.045) - at(1.01), 8, BLUE)
    for tick in (0.96, 1.0, 1.04, 1.08, 1.12):
        drawing.line([(at(tick), 154), (at(tick), 162)])
        drawing.text(at(tick), 180, f"{tick:.2f}", "middle", "soft")
    drawing.line([(at(1), 120), (at(1), 158)], "ink")
    drawing.note(214, "P: portable, N: native. What both runs of a pair share, a busy machine say, cancels. The interval, the frame, lies "
                      "right of 1.00, so Kokkos is slower here. If it contained 1.00, the row would be undecided, or same if all of "
                      "it is within 1 %.")
    return drawing


def two_gpus():
    """Lesson 13: a transpose of blocks."""
    drawing = Drawing(290, "A transpose on two GPUs",
                      "Each GPU has half of the rows. The blocks on the diagonal stay where they are; the other two cross the link.")
    size = 84
    for x, name, blocks in ((120, "a", ("00", "01", "10", "11")), (460, "b", ("00", "10", "01", "11"))):
        drawing.text(x, 26, name, look="head")
        for k, block in enumerate(blocks):
            crosses = block in ("01", "10")
            drawing.cell(x + k % 2 * size, 38 + k // 2 * size, size, size, BLUE if block[0] == "0" else ORANGE,
                         block, pale=not crosses)
        for gpu in range(2):
            drawing.frame(x, 38 + gpu * size, 2 * size, size)
            if x == 120:
                drawing.text(112, 84 + gpu * size, f"GPU {gpu}", "end", "soft")
    drawing.arrow(300, 80, 448, 164)
    drawing.arrow(300, 164, 448, 80)
    drawing.text(374, 66, "link", "middle", "soft")
    drawing.note(244, "A frame is the memory of one GPU. Blue came from GPU 0, orange from GPU 1; pale: stays there. Half of the matrix "
                      "crosses the link, which is ten times as slow as memory. So two GPUs wait for the link, not for their memory.")
    return drawing


def ways():
    """Lesson 14."""
    drawing = Drawing(258, "Three ways to write Kokkos, and by hand",
                      "plain: one short source. team: one source, with a table of constants for each backend. tuned: kernels for each "
                      "backend behind one function. By hand: a program for each.")
    rows = (("plain", (("", 16, BLUE),), "one short source, as the guide teaches"),
            ("team", (("one source", 155, BLUE), ("CPU", 52, ORANGE), ("GPU", 52, THIRD)), "with two tables of constants"),
            ("tuned", (("shared", 95, BLUE), ("for CPUs", 178, ORANGE), ("for GPUs", 178, THIRD)), "one function in front"),
            ("by hand", (("OpenMP", 182, ORANGE), ("CUDA", 182, THIRD)), "two programs"))
    for k, (name, parts, words) in enumerate(rows):
        y, x = 16 + 48 * k, 84
        drawing.text(74, y + 21, name, "end", "head")
        for label, width, colour in parts:
            drawing.cell(x, y, width, 32, colour, label)
            x += width
        drawing.text(x + 12, y + 21, words, look="soft")
    drawing.note(228, "Length: the lines of a kernel, the mean of average_mv, transpose and yax. Blue is for all backends, orange for "
                      "CPUs, green for GPUs.")
    return drawing


DRAWINGS = {"machine": machine, "in_flight": in_flight, "grid": grid, "race": race, "occupancy": occupancy, "stages": stages,
            "schedule": schedule, "cache_sets": cache_sets, "pairs": pairs, "two_gpus": two_gpus,
            "ways_to_write": ways}
