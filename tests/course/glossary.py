#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The glossary of the course says what `miniapp explain` says:  glossary.py PROGRAM PAGE [--write]

With --write it makes the page. Exit status 1: the page is another.
"""
import pathlib
import re
import subprocess
import sys

HEAD = """# Glossary

What `./ado explain WORD` says of the words of this project and of GPUs. It knows more words: those of columns,
records, limiters and variants. (`tests/course/glossary.py build/openmp/bin/miniapp docs/course/glossary.md --write`
makes this page.)

"""


def explained(program, *words):
    return subprocess.run([program, "explain", *words], capture_output=True, text=True, check=True).stdout


def terms(program):
    """[words, text, page]: the words that have one text are one entry."""
    listed = re.search(r"^term\n((?:  .*\n)+)", explained(program), re.MULTILINE)[1]
    entries = {}
    for word in (word for line in listed.splitlines() for word in line.strip().split(", ")):
        block = re.search(r"^%s \(term\)\n((?:  .*\n?)+)" % re.escape(word), explained(program, word), re.MULTILINE)[1]
        page = re.search(r"^  more: (\S+)$", block, re.MULTILINE)
        text = " ".join(block.replace(page[0], "").split() if page else block.split())
        entries.setdefault((text, page[1] if page else ""), []).append(word)
    return sorted(([words, *key] for key, words in entries.items()), key=lambda entry: entry[0][0].lower())


def page_of(program):
    lines = []
    for words, text, page in terms(program):
        others = f" ({', '.join(words[1:])})" if words[1:] else ""
        target = page.replace("docs/course/", "") if page.startswith("docs/course/") else \
            page.replace("docs/", "../") if page.startswith("docs/") else f"../../{page}"
        more = f" [More]({target})." if page else ""
        text = re.sub(r"(?<![\w`])(--[a-z][\w-]*(?: \d+| \w+:\d+)?)", r"`\1`", text)
        lines.append(f"**{words[0]}**{others}: {text}{more}\n")
    return HEAD + "\n".join(lines)


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2])
    wanted = page_of(program)
    if "--write" in sys.argv:
        page.write_text(wanted)
    if page.read_text() == wanted:
        return 0
    print(f"{page} is not what {program} explains; write it anew with --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
