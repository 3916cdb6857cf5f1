#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of the tree in docs/design.md is the tree as it is, and nothing includes what stands below it there.

    tests/project/floors.py [ROOT]

A folder has at most 20 files, and something includes each file of cmake/. Exit status 0: so it is; 1: each difference has a line.
"""
import pathlib
import re
import sys

MOST_FILES = 20
SOURCES = (".hpp", ".cpp", ".cu", ".cuh")


def floors_of(page):
    """Folders of the first block of the page, in order; `average` stands for all algorithms, in the order of its line."""
    block = re.search(r"```\n(.*?)```", page, re.DOTALL)[1]
    algorithms, folders, parents = [], [], {}
    for line in block.splitlines():
        place = re.match(r"( *)([\w/]+/)(.*)", line)
        if not place:
            continue
        depth, name, rest = len(place[1]) // 2, place[2].rstrip("/"), place[3]
        parents[depth] = name
        path = "/".join(parents[d] for d in range(depth + 1))
        if name == "average":
            algorithms = algorithms or ["average", *re.findall(r"(\w+)/", rest)]
        folders.append(path)
        if name.startswith("kokkos_kernels"):
            folders += [f"{path.rsplit('/', 1)[0]}/{other}" for other in re.findall(r"(\w+)/", rest)]
    return algorithms, folders


def floor(path, algorithms, folders):
    """(place of the folder, place of the algorithm) of a source file; None where the picture has no such folder."""
    folder = str(path.parent)
    if folder == "lib/ado":  # ado.hpp stands on the public functions
        return folders.index("lib/ado/average"), -1
    folder = re.sub("/detail/.*", "/detail", folder)  # a part of the best kernel in a folder of its own
    parts = folder.split("/")
    which = [k for k, name in enumerate(algorithms) if name in parts]
    if which:
        folder = "/".join("average" if part == algorithms[which[0]] else part for part in parts)
    return (folders.index(folder), which[0] if which else -1) if folder in folders else None


def may_include(a, b, algorithms, folders):
    """Whether a file of floor `a` may include one of floor `b`."""
    (at, of), (to, others) = a, b
    if of < 0 or others < 0:
        return to <= at
    if folders[at].startswith("native_cuda") or of > others:
        return of >= others
    if of < others:
        return False
    # Inside an algorithm: the public function stands on detail/, a variant on both, and not on another's folder.
    last = [folders[k].rsplit("/", 1)[1] for k in (at, to)]
    return last[1] in ("average", "detail") if last[0] not in ("average", "detail") and last[0] != last[1] else True


def never_included(root):
    """Files of cmake/ that no other file of CMake names: what they look for is never found, and their options do nothing."""
    sources = [root / "CMakeLists.txt", *root.glob("cmake/*"), *(file for top in ("lib", "miniapp", "native_cuda", "tests")
                                                                 for file in (root / top).rglob("CMakeLists.txt"))]
    return [f"cmake/{path.name}: nothing includes it" for path in sorted(root.glob("cmake/*.cmake"))
            if not any(re.search(rf"\b{re.escape(path.name)}", other.read_text()) for other in sources if other != path)]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    algorithms, folders = floors_of((root / "docs/design.md").read_text())
    files = [path.relative_to(root) for top in ("lib", "native_cuda", "miniapp") for path in sorted((root / top).rglob("*"))
             if path.suffix in SOURCES]
    wrong, found, count = [], set(), {}
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix in SOURCES and "corpus" not in path.parts:
            count[path.parent.relative_to(root)] = count.get(path.parent.relative_to(root), 0) + 1
    for path in files:
        count[path.parent] = count.get(path.parent, 0) + 1
        here = floor(path, algorithms, folders)
        if here is None:
            wrong.append(f"{path}: its folder is not in the picture")
            continue
        found.add(here[0])
        for include in re.findall(r"^#include <((?:ado|native_cuda)/[\w/.]+)>", (root / path).read_text(), re.MULTILINE):
            there = pathlib.Path("lib" if include.startswith("ado/") else ".") / include
            if not (root / there).is_file():
                wrong.append(f"{path}: there is no {include}")
            elif not may_include(here, floor(there, algorithms, folders) or (len(folders), -1), algorithms, folders):
                wrong.append(f"{path}: includes {include}, which stands below it")
    wrong += [f"{folder}: {files_in} files, {MOST_FILES} at most" for folder, files_in in count.items() if files_in > MOST_FILES]
    has_files_below = {folder for folder in folders if any(other.startswith(folder + "/") for other in folders)}
    wrong += [f"{folders[k]}: in the picture, and empty" for k in range(len(folders))
              if k not in found and folders[k] not in has_files_below]
    wrong += never_included(root)
    print("\n".join([*wrong, f"{len(files)} files in {len(count)} folders, {len(wrong)} wrong"]))
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
