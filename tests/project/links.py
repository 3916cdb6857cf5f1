#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every link inside the project's pages leads somewhere: the file is there, and the heading in it.

usage: links.py FOLDER [FILE...]   (default: every *.md below FOLDER that git knows, and the pages that terms.cpp names)
"""
import pathlib
import re
import subprocess
import sys


def without_code(text):
    """The page without its blocks and spans of code, in which nothing is a link or a heading."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    return re.sub(r"^    .*$", "", text, flags=re.M)


def anchors(text):
    """Those that GitHub gives to headings: small letters, spaces as hyphens, no punctuation, a number on repeats."""
    found, count = set(re.findall(r"<a (?:name|id)=\"([^\"]+)\"", text)), {}
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", without_code(text), flags=re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        seen = count[anchor] = count.get(anchor, -1) + 1
        found.add(f"{anchor}-{seen}" if seen else anchor)
    return found


def links(text):
    """Targets of [text](target), ![picture](target), of references [name]: target, and of src= and href=."""
    text = re.sub(r"`[^`\n]*`", "", without_code(text))
    return re.findall(r"\]\(\s*<?([^)\s>]+)", text) + re.findall(r"^\[[^\]]+\]:\s*(\S+)", text, flags=re.M) + \
        re.findall(r"(?:src|href)=\"([^\"]+)\"", text)


def broken(root, page, target):
    """What is wrong with a link of `page`; empty where it leads somewhere."""
    if re.match(r"[a-z]+:", target):
        return ""
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return "there is no such file"
    if root.resolve() not in file.resolve().parents and file.resolve() != root.resolve():
        return "leads out of the project"
    if anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
        return f"{file.name} has no such heading"
    return ""


def pages(root):
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout
        return [root / name for name in listed.splitlines()]
    except (OSError, subprocess.CalledProcessError):  # an archive of the project
        return [page for page in sorted(root.rglob("*.md")) if "build" not in page.relative_to(root).parts]


def main():
    root = pathlib.Path(sys.argv[1])
    found = [(page, target) for page in [*map(pathlib.Path, sys.argv[2:])] or pages(root)
             for target in links(page.read_text(encoding="utf-8"))]
    if len(sys.argv) == 2:
        terms = root / "lib/ado/bench/cli/terms.cpp"
        found += [(root / "README.md", page) for page in re.findall(r"\"([\w/]+\.md[^\"]*)\"", terms.read_text())]
    wrong = [f"{page}: {target}: {why}" for page, target in found if (why := broken(root, page, target))]
    print("\n".join([*wrong, f"{len(found)} links, {len(wrong)} broken"]))
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
