#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what the course explains: who reads what, and how it lies in memory. No figures, no matplotlib.

usage: drawings.py [FOLDER]   (default: docs/pictures)
"""
import pathlib
import sys

import lesson_drawings
from drawing import Drawing


def coalescing():
    """vector_add, strided and coalesced: accesses.hpp."""
    drawing = Drawing(246, "Strided and coalesced loads of a warp",
                      "Eight lanes with a piece each touch eight sectors in a step. Eight lanes side by side touch one.")
    cell, sector = 11, 8
    for y, name, address, result in (
            (40, "strided: a lane has a piece of its own", lambda lane: lane * sector, "8 lanes, 8 sectors"),
            (142, "coalesced: neighbouring lanes, neighbouring elements", lambda lane: lane, "8 lanes, 1 sector")):
        drawing.text(8, y - 12, name, look="head")
        drawing.text(712, y - 12, result, "end")
        lanes = {address(lane): lane for lane in range(8)}
        drawing.grid(8, y, 64, 1, cell, 26)
        for element, lane in lanes.items():
            drawing.cell(8 + element * cell, y, cell, 26, "portable", lane)
            if y == 40:
                drawing.cell(8 + (element + 1) * cell, y, cell, 26, "portable", lane, pale=True)
        for first in sorted({element // sector for element in lanes}):
            drawing.frame(8 + first * sector * cell, y, sector * cell, 26)
        drawing.text(8, y + 44, "memory →", look="soft")
    drawing.text(712, 84, "pale: the next step, one element on", "end", "soft")
    drawing.text(712, 186, "the next step: K elements on, where K is the number of threads", "end", "soft")
    drawing.note(220, "A box is a float, with the lane that loads it in this step. A frame is a sector of 32 bytes that the "
                      "step touches. A warp has 32 lanes, not 8: strided it touches 32 sectors, coalesced 4.")
    return drawing


def layout():
    """v of average and average_mv."""
    drawing = Drawing(428, "How v[n][l][m] lies in memory",
                      "N = 2 sets of L = 3 vectors of M = 4 elements. In LayoutRight the elements of a vector lie side by side. "
                      "In LayoutLeft they lie N L = 6 apart, and vectors of different sets lie side by side.")
    sets, length, count = 2, 3, 4
    colours = ("portable", "native", "third")
    put = lambda x, y, width, n, l, m: drawing.cell(x, y, width, 28, colours[l], f"{n}{l}{m}", pale=n == 1)
    drawing.text(8, 22, "v[n][l][m]: N = 2 sets of L = 3 vectors of M = 4 elements", look="head")
    for n in range(sets):
        left = 60 + n * 300
        drawing.text(left + 72, 50, f"set n = {n}", "middle", "soft")
        for l in range(length):
            drawing.text(left - 10, 79 + 30 * l, f"l = {l}", "end", "soft")
            for m in range(count):
                put(left + 36 * m, 60 + 30 * l, 36, n, l, m)
        drawing.arrow(left, 160, left + 36 * count, 160)
        drawing.text(left + 152, 164, "m", look="soft")
    for y, name, order, words in (
            (204, "LayoutRight: the last index is the fastest", [(n, l, m) for n in range(2) for l in range(3) for m in range(4)],
             "stride of m: 1"),
            (322, "LayoutLeft: the first index is the fastest", [(n, l, m) for m in range(4) for l in range(3) for n in range(2)],
             "stride of n: 1")):
        drawing.text(8, y - 12, name, look="head")
        drawing.text(712, y - 12, words + (", of l: M, of n: L M" if y == 204 else ", of l: N, of m: N L"), "end", "soft")
        for place, index in enumerate(order):
            put(8 + place * 29, y, 29, *index)
            if index[:2] == (0, 0):
                drawing.frame(8 + place * 29, y, 29, 28)
    drawing.note(250, "In frames: the vector n = 0, l = 0. Its M elements lie side by side, so a warp that shares it reads whole "
                      "sectors. Threads with a vector each read M elements apart.")
    drawing.note(368, "The same vector: its elements lie N L = 6 apart, so a warp that shares it reads scattered. Threads with a "
                      "vector each, numbered n + N l, read side by side.")
    drawing.note(416, "Strong: set 0, pale: set 1; a colour is an l. ado's functions are fastest with LayoutRight.")
    return drawing


def rows():
    """Rungs of yax; accesses.hpp of yax says the same as formulas."""
    drawing = Drawing(514, "Who loads what: a thread, a warp or a team a row",
                      "A matrix of 8 rows and 16 columns, warps of four lanes, sectors of four elements. A thread a row: the four "
                      "lanes touch four sectors. The same over a column-major copy, a warp a row and a team a row: one sector a warp.")
    cell, high, wide = 19, 8, 16
    at = lambda x, y, i, j: (x + j * cell, y + i * cell)
    panels = (
        ("row_per_thread: a thread a row", 4, lambda warp, lane, step: (4 * warp + lane, step), False),
        ("row_per_thread_left: a is column-major", 1, lambda warp, lane, step: (4 * warp + lane, step), True),
        ("row_per_vector: a warp a row", 1, lambda warp, lane, step: (warp, 4 * step + lane), False),
        ("row_per_team: a team of 2 warps a row", 1, lambda warp, lane, step: (0, 8 * step + 4 * warp + lane), False))
    for number, (name, sectors, place, down) in enumerate(panels):
        x, y = 8 + number % 2 * 400, 40 + number // 2 * 224
        drawing.text(x, y - 14, name, look="head")
        asked = {place(warp, lane, step): (warp, lane, step) for warp in range(2) for lane in range(4) for step in (1, 0)}
        drawing.grid(x, y, wide, high, cell, cell)
        for (i, j), (warp, lane, step) in asked.items():
            drawing.cell(*at(x, y, i, j), cell, cell, ("portable", "native")[warp], lane, pale=step == 1)
        for i, j in sorted({(i // 4 * 4, j) if down else (i, j // 4 * 4) for (i, j), who in asked.items() if who[2] == 0}):
            drawing.frame(*at(x, y, i, j), *((cell, 4 * cell) if down else (4 * cell, cell)))
        below, way = y + high * cell + 20, "down a column ↓" if down else "along a row →"
        drawing.text(x, below, f"4 lanes, {sectors} sector{'s' * (sectors > 1)}")
        drawing.text(x + wide * cell, below, f"memory: {way}", "end", "soft")
    drawing.note(470, "A number is a lane, blue the first warp, orange the second. Strong: this step, pale: the next. A frame "
                      "is a sector that this step touches. Here a warp has 4 lanes and a sector 4 elements, to fit the page. A "
                      "real warp has 32 lanes, and a sector 8 floats: row_per_thread touches 32 sectors, each of the others 4.")
    return drawing


def tile():
    """Rungs of transpose: flat.cpp, flat_write.cpp, tiled.hpp."""
    drawing = Drawing(636, "Transposing without a tile and through one",
                      "flat reads a row of a and writes a column of b. flat_write reads a column and writes a row. tiled reads rows "
                      "of a into a tile in shared memory, and writes columns of the tile as rows of b: one sector on both sides.")
    cell, side = 17, 8
    along, down = [(1, j) for j in range(4)], [(i, 1) for i in range(4)]

    def matrix(x, y, name, asked, words, size=side):
        """With sectors where it is in memory, and not in a tile."""
        drawing.text(x, y - 8, name, look="soft")
        drawing.grid(x, y, size, size, cell, cell)
        for lane, (i, j) in enumerate(asked):
            drawing.cell(x + j * cell, y + i * cell, cell, cell, "portable", lane)
        touched = sorted({(i, j // 4 * 4) for i, j in asked}) if size == side else []
        for i, j in touched:
            drawing.frame(x + j * cell, y + i * cell, 4 * cell, cell)
        sectors = f": {len(touched)} sector{'s' * (len(touched) > 1)}" if touched else ""
        drawing.text(x, y + size * cell + 17, words + sectors)

    for y, name, read, written in ((32, "flat", along, down), (232, "flat_write", down, along)):
        drawing.text(8, y + 12, name, look="head")
        drawing.text(8, y + 32, "a thread an element", look="soft")
        matrix(168, y, "a", read, "load")
        drawing.arrow(320, y + 2 * cell, 558, y + 2 * cell)
        drawing.text(439, y + 2 * cell - 8, "b[j][i] = a[i][j]", "middle", "soft")
        matrix(572, y, "b", written, "store")
    y = 432
    drawing.text(8, y + 12, "tiled", look="head")
    drawing.text(8, y + 32, "a team a tile, a warp\na row of it at a time:\nfirst of a, then of b", look="soft")
    matrix(168, y, "a", along, "load")
    matrix(350, y, "tile", along, "store a row", 4)
    matrix(462, y, "tile", down, "load a column", 4)
    matrix(572, y, "b", along, "store")
    for x, width in ((316, 28), (424, 32), (536, 28)):
        drawing.arrow(x, y + 2 * cell, x + width, y + 2 * cell)
    for x in (168, 572):
        drawing.frame(x, y, 4 * cell, 4 * cell, "native")
    drawing.text(350, y + 112, "in shared memory, with a\nbarrier in between", look="soft")
    drawing.note(610, "A number is a lane of one warp, a frame a sector that it touches; orange: the team's tile. Here a warp has "
                      "4 lanes, a tile 4 rows and a sector 4 elements. A real warp has 32 lanes, and a tile of ado 32 rows.")
    return drawing


def banks():
    """The tile of transpose's tiled and tiled_padded, elements of 4 bytes."""
    drawing = Drawing(426, "Bank conflicts: a column of a 32 x 32 tile, without padding and with it",
                      "Each row of a picture is a row of the 32 banks. Without padding all 32 elements of a column lie in one "
                      "bank: 32 passes. With rows of 33 elements they lie on a diagonal, one in each bank: 1 pass.")
    cell, lanes, y = 9, 32, 52
    for x, name, row, result in ((54, "tiled: rows of 32 elements", 32, "32 lanes want 1 bank: 32 passes"),
                                 (420, "tiled_padded: rows of 33 elements", 33, "32 lanes want 32 banks: 1 pass")):
        drawing.text(x, 20, name, look="head")
        drawing.text(x - 6, y - 6, "bank", "end", "soft")
        for number in (0, 8, 16, 24, 31):
            middle = (number + 0.5) * cell
            drawing.text(x + middle, y - 6, number, "middle", "soft")
            drawing.text(x - 6, y + middle + 4.5, f"lane {number}" if number == 0 else number, "end", "soft")
        drawing.grid(x, y, lanes, row, cell, cell)
        for lane in range(lanes):
            for k in (0, *range(lanes, row)):
                word = lane * row + k
                drawing.cell(x + word % lanes * cell, y + word // lanes * cell, cell, cell, "soft" if k else "portable",
                             pale=k > 0)
        drawing.text(x, y + 33 * cell + 20, result)
    drawing.note(400, "A box is a word of 4 bytes, a row of the picture one word of each bank. Blue: column 0 of the tile, an "
                      "element a lane. Grey: padding, which nobody reads.")
    return drawing


DRAWINGS = {"coalescing": coalescing, "layout_of_v": layout, "row_mappings": rows, "transpose_tile": tile,
            "bank_conflicts": banks}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1] / "docs/pictures")
    for name, draw in {**DRAWINGS, **lesson_drawings.DRAWINGS}.items():
        (folder / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
