#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every public function says what its parameters are, what it throws and what it costs; every public name has its page.

usage: api_reference.py ROOT

Public functions are those of lib/ado/NAME/NAME.hpp in namespace ado, and of lib/ado/distributed/NAME.hpp in
ado::distributed; public names are all in namespace ado itself, and what the README, the tutorial and the examples write
behind `ado::bench::`. What one overload says counts for all of its name: they share a page.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

NO_NAMES = {"ado", "bench", "distributed", "one"}  # targets of CMake, and a namespace: see words()


def functions_of(root):
    """As Doxygen's XML has them: the functions of ado, ado::bench and ado::distributed by file, and all names in ado itself."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["doxygen", "docs/site/Doxyfile"], cwd=root, capture_output=True, text=True,
                              env={**os.environ, "ADO_DOXYGEN_OUTPUT": folder})
        if done.returncode:
            sys.exit(done.stderr)
        trees = [xml.etree.ElementTree.parse(pathlib.Path(folder, "xml", f"namespace{name}.xml"))
                 for name in ("ado", "ado_1_1bench", "ado_1_1distributed")]
    names = {member.findtext("name") for member in trees[0].iter("memberdef")}
    names |= {each.text.removeprefix("ado::").split("<")[0] for each in trees[0].iter("innerclass")} - {"bench"}
    functions = collections.defaultdict(list)
    for member in (member for tree in trees for member in tree.iter("memberdef")):
        if member.get("kind") == "function":
            functions[member.find("location").get("file")].append(member)
    return functions, names


def opening_ado(root):
    """Headers with names in namespace ado itself: the public functions', and those of their errors and their workspace."""
    return {str(header.relative_to(root / "lib/ado")) for header in root.glob("lib/ado/**/*.hpp")
            if re.search(r"^namespace ado \{", header.read_text(), re.MULTILINE)}


def texts(member):
    """What the comment says, and the parts of it that are names."""
    parts = [member.find("briefdescription"), member.find("detaileddescription")]
    names = [name.text for part in parts for tag in ("parametername", "computeroutput") for name in part.iter(tag)]
    throws = any(part.find(".//parameterlist[@kind='exception']") is not None for part in parts)
    return " ".join("".join(part.itertext()) for part in parts).strip() + (" Throws" if throws else ""), names


def names_it(parameter, text, names):
    """A letter may be an article: it counts in `code`, after \\param, and as in `a, b (n), contiguous`."""
    if parameter in names:
        return True
    return bool(re.search(rf"\b{parameter}\b" if len(parameter) > 1 else rf"(?<![\w`]){parameter}(, \w+)* \(", text))


def lacking(overloads):
    """What the comments of one function do not say."""
    said = [texts(member) for member in overloads]
    for member, (text, _) in zip(overloads, said):
        if not text:
            yield f"{member.findtext('argsstring')} has no comment"
    parameters = {name.text: None for member in overloads for name in member.findall("param/declname")}
    for parameter in parameters:
        if not any(names_it(parameter, text, names) for text, names in said):
            yield f"does not name its parameter {parameter}"
    if not any(re.search(r"\bthrows?\b", text, re.IGNORECASE) for text, _ in said):
        yield "does not say what it throws"
    if "exec" in parameters and not any("O(" in text for text, _ in said):
        yield "does not say what it costs, as in O(n)"


def names_on_pages(root, functions):
    names = set()
    for page in root.glob("docs/site/api/*.md"):
        text = page.read_text()
        names |= set(re.findall(r"^```\{doxygen\w+\} ado::(?:bench::)?(\w+)$", text, re.MULTILINE))
        for file in re.findall(r"^```\{functions\} (\S+)$", text, re.MULTILINE):
            names |= {member.findtext("name") for member in functions[file]}
    return names


def words(root):
    """Names of ado::one that a kernel may use: functions of the header, and what examples write behind `one::`."""
    header = root.joinpath("lib/ado/portable/packs.hpp").read_text()
    found = re.findall(r"^(?:KOKKOS_\w*FUNCTION |void |std::size_t )[^(;{]*?(\w+)\(", header, re.MULTILINE)
    for file in root.glob("examples/*/*.cpp"):
        found += re.findall(r"\bone::(\w+)", file.read_text())
    return set(found)


def main():
    root = pathlib.Path(sys.argv[1])
    if not shutil.which("doxygen"):
        print("skipped: api_reference: no doxygen found")
        return 0
    (functions, public_names), wrong, public = functions_of(root), [], {}
    expected = {f"{path.parent.name}/{path.parent.name}.hpp" for path in root.glob("lib/ado/*/problem.cpp")}
    for header in opening_ado(root) - expected - {"core/error.hpp", "portable/workspace.hpp"}:
        wrong.append(f"lib/ado/{header}: has names in namespace ado, which users see; detail and bench are for the others")
    for header in sorted(root.glob("lib/ado/*/*.hpp")):
        file = str(header.relative_to(root / "lib"))
        on_ranks = header.parent.name == "distributed"
        if on_ranks and not functions[file]:
            continue  # it has classes, or what ranks say to each other
        if not on_ranks and (header.stem != header.parent.name or not header.with_name("problem.cpp").exists()):
            continue
        by_name = collections.defaultdict(list)
        for member in functions[file]:
            by_name[member.findtext("name")].append(member)
        if not by_name:
            wrong.append(f"{file}: no public function; is the file in docs/site/Doxyfile?")
        wrong += [f"{file}: {name}: {what}" for name, overloads in by_name.items() for what in lacking(overloads)]
        public |= {name: file for name in by_name}
    writers = [root / "README.md", root / "docs/own-kernels.md",
               *(file for file in sorted(root.glob("examples/*/*")) if file.suffix in (".cpp", ".hpp", ".cu"))]
    for file in writers:
        names = re.findall(r"\b(?:ado::bench|ado|bench)::(\w+)", file.read_text())
        public |= {name: file.relative_to(root) for name in names if name not in NO_NAMES and name not in public}
    public |= {name: "namespace ado" for name in public_names if name not in public}
    shown = names_on_pages(root, functions)
    wrong += [f"ado::{name}, of {file}: is on no page of docs/site/api" for name, file in public.items() if name not in shown]
    page = root.joinpath("docs/packs.md").read_text()
    wrong += [f"ado::one::{name}: is not on docs/packs.md" for name in sorted(words(root)) if not re.search(rf"\b{name}\b", page)]
    print("\n".join([*wrong, f"{len(public_names)} public names, {len(public)} with a page, {len(wrong)} faults"]))
    return 1 if wrong or not public else 0


if __name__ == "__main__":
    sys.exit(main())
