#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many lines each way to write a kernel has, and how many of them only one backend compiles.

    benchmarks/kernel_lines.py BUILD     compiles each kernel for CPUs and for CUDA, writes the table that the library has
                                         (lib/ado/bench/run/kernel_lines.inc), and prints it as a page has it.
                                         BUILD: of the preset openmp, where nvcc is found and Kokkos has no CUDA
    ... BUILD --show ALGORITHM VARIANT   prints the lines that only one backend has
    ... BUILD --check                    exit status 1 where the table differs
    ... --stale                          the same without a compiler: whether a counted file has changed
    ... --table                          prints the table

Counted is what `run` of a variant reaches in lib/ado and native_cuda when it is compiled without optimization: kernels,
their plan, their launch. A line counts if the line table of the object or of the PTX has its statement, and so do the
heads of the blocks around it. A constant counts where a counted line names it. Not counted: declarations of types and
members, lines of braces alone, comments, checks that throw, and what is around all kernels alike, as arrays and Views
(SHARED).
For CPUs the compiler of BUILD compiles for x86-64-v3, whatever this machine is. By hand: the OpenMP variant for
CPUs, the CUDA one for GPUs.
"""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from measured import markdown_table

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "lib/ado/bench/run/kernel_lines.inc"
ALGORITHMS = ("average", "average_mv", "transpose", "yax", "vector_add")
WAYS = ("plain", "team", "tuned")
BY_HAND = "by hand"
BACKENDS = ("CPU", "GPU")
SHARED = re.compile(r"lib/ado/(core/(?!row_plan)|registry/|bench/|portable/(variant|views|workspace|rounding|row_sum_steps)\.|"
                    r"(host|cuda)/variant\.|[^/]+/(accesses|rounding)\.|(\w+)/\5\.hpp|average/detail/strided\.)")
ELSEWHERE = re.compile(r"lib/ado/transpose/(?!detail/host_block)")  # average_mv turns an `a` of columns

UNIT = """#include <{header}>
namespace ado::bench {{
template <class V>
struct Counted {{
  static void run(const Call& call) {{
    if constexpr (requires {{ V::run({arguments}); }})
      V::run({arguments});
    else
      with_real_type(call.type, [&](auto zero) {{ V::template run<decltype(zero)>({arguments}); }});
  }}
  explicit Counted(std::string_view) {{ [[maybe_unused]] void (*volatile used)(const Call&) = &run; }}
}};
}} // namespace ado::bench
#define {kind}Variant Counted
#include "{source}"
"""


# What a source file consists of

TYPE = re.compile(r"\b(struct|class|namespace|enum|union)\b(\s*alignas\s*\(.*\))?[^;(){}=]*$", re.S)


class Statement:
    def __init__(self, block):
        self.block, self.text, self.lines, self.is_head = block, "", set(), False
        self.has_lambda, self.number = False, 0  # in its file

    def around(self):
        """The statements whose blocks are around it, from the inside."""
        return [] if self.block is None else [self.block, *self.block.around()]

    def heads(self):
        """The same without classes and namespaces."""
        return [head for head in self.around() if not TYPE.search(head.text)]

    def function(self):
        return (self.heads() or [None])[-1]


def blank(match):
    """Comments, directives and texts, whose braces are none: as long, and as many lines."""
    return re.sub(r"[^\n]", " ", match[0]) if match[0][0] in "/#" else re.sub(r"[{}()\[\];/]", "_", match[0])


NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![0-9])\'(?:\\.|[^\'\\\n])+\'', re.M | re.S)


def opens_block(before):
    """Whether a brace behind this text begins a block, not the values of an object."""
    if before.endswith("]"):  # a lambda without parameters, or an array
        return bool(re.search(r"([^\w\s>\])]|\breturn)\s*\[[^\[\]]*\]$|^\[[^\[\]]*\]$", before))
    return bool(re.search(r"(^|[){};:]|\b(else|do|try|const|noexcept|mutable|override|final)|->\s*[\w:<>,\s*&]+)$", before) or
                TYPE.search(before))


@functools.cache
def statements_of(name):
    """Those of a source file, in its order."""
    code = NOT_CODE.sub(blank, (ROOT / name).read_text())
    found, open_, line = [], [], 1  # open_: (what closes it, the statement that it belongs to)
    current = Statement(None)
    for character in code:
        if character == "\n":
            line += 1
        elif character == "{" and not (open_ and open_[-1][0] == "value") and opens_block(current.text.strip()):
            current.is_head = True
            open_.append(("block", current))
            current = Statement(current)
        elif character in "{([":
            open_.append(("value" if character == "{" else character, current))
            current.text += character
        elif character in "})]":
            kind, owner = open_.pop()
            if kind == "block":
                found.append(current)
                if open_ and open_[-1][0] != "block":  # a lambda, and its statement goes on
                    current = owner
                    current.text += "}"
                    current.has_lambda = True
                else:
                    found.append(owner)
                    current = Statement(owner.block)
            else:
                current.text += character
                if current.text.lstrip().startswith("KOKKOS_IF_ON") and open_[-1][0] == "block":
                    found.append(current)
                    current = Statement(current.block)
        elif character == ";" and (not open_ or open_[-1][0] == "block"):
            found.append(current)
            current = Statement(current.block)
        else:
            current.text += character
            if not character.isspace() and character != ",":
                current.lines.add(line)
    found = sorted((s for s in found if s.lines), key=lambda s: min(s.lines))
    for number, statement in enumerate(found):
        statement.number = number
    return found


# What compilers make of it

def commands_of(build):
    """{source: its command} of the variants' files, relative to ROOT."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        as_cuda = build / "portable_as_cuda"
        name = str(path.relative_to(as_cuda) if path.is_relative_to(as_cuda) else path.relative_to(ROOT))
        found[name] = entry["command"], entry["directory"]
    return found


def unoptimized(command, unit, flags):
    command = command.replace("-march=native", "-march=x86-64-v3")  # the same on every machine
    kept = [word for word in shlex.split(command) if not re.match(r"-O\d|-W|-Xcompiler=-W|-lineinfo|-ptx|-cubin|-c$|--generate-code|--Werror", word)]
    del kept[kept.index("-o"):kept.index("-o") + 2]
    return [word for word in kept if not re.search(r"\.(cpp|cu)$", word)] + flags + [str(unit)]


def reached_functions_of(ptx):
    """The functions that kernels call: nvcc leaves in it those of lambdas that nobody calls."""
    functions = {re.findall(r"([\w$]+)\s*\(", head)[-1]: (kind, body) for kind, head, body in
                 re.findall(r"^[.\w \t]*\.(entry|func)\b([^{;]*)\{(.*?)^\}", ptx, re.M | re.S)}
    left, found = [name for name, (kind, _) in functions.items() if kind == "entry"], set()
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += functions.keys() & set(re.findall(r"[\w$]+", functions[name][1]))
    return [functions[name][1] for name in found]


def functions_of(assembly):
    return re.split(r"^\s*\.cfi_endproc", assembly, flags=re.M)


def lines_in(assembly, functions):
    """{file: its lines} of each function of assembly or PTX, by its line table, as far as they are counted."""
    names = {}
    for number, path in re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]+)"', assembly, re.M):
        name = str(pathlib.Path(path).relative_to(ROOT)) if pathlib.Path(path).is_relative_to(ROOT) else ""
        if re.match("(lib/ado|native_cuda)/", name) and not SHARED.match(name):
            names[number] = name
    found = []
    for function in functions:
        found.append({})
        for number, line in re.findall(r"^\s*\.loc\s+(\d+)\s+(\d+)", function, re.M):
            if number in names:
                found[-1].setdefault(names[number], set()).add(int(line))
    return [lines for lines in found if lines]


def compiled(commands, source, backend, kind):
    """lines_in() what the run of the variant in `source` is compiled to for the backend."""
    header, arguments = {"Host": ("ado/host/variant.hpp", "call"), "Cuda": ("ado/cuda/variant.hpp", "call, cudaStream_t()"),
                         "Portable": ("ado/portable/variant.hpp", f"Kokkos::{'OpenMP' if backend == 'CPU' else 'Cuda'}(), call")}[kind]
    command, directory = commands[source + (".cu" if backend == "GPU" and kind == "Portable" else "")]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        unit = folder / ("unit.cu" if backend == "GPU" else "unit.cpp")
        unit.write_text(UNIT.format(header=header, arguments=arguments, kind=kind, source=ROOT / source))
        made = [folder / "host.s"]
        flags = [["-S", "-O0", "-g1", "-o", str(made[0])]]
        if backend == "GPU":
            made.append(folder / "unit.ptx")
            # The host's part with LTO, for there the GPU's costs least. ptxas does not take all PTX of -G; it need not.
            separable = ["-rdc=true", "-DDESUL_ATOMICS_ENABLE_CUDA_SEPARABLE_COMPILATION"]
            flags = [["-c", *separable, "--generate-code=arch=compute_90,code=lto_90", "-Xcompiler=-S,-g1", "-o", str(made[0])],
                     ["-c", "-G", "--generate-code=arch=compute_90,code=compute_90", "--keep", "--keep-dir", str(folder),
                      "-o", str(folder / "unit.o")]]
        said = [subprocess.run(unoptimized(command, unit, of_part), cwd=directory, capture_output=True, text=True).stderr for of_part in flags]
        if not all(path.exists() for path in made):
            sys.exit("\n".join([f"{source} was not compiled:", *said]))
        host, *ptx = (path.read_text() for path in made)
        return lines_in(host, functions_of(host)) + [lines for text in ptx for lines in lines_in(text, reached_functions_of(text))]


# What counts

CONSTANT = re.compile(r"^\s*(?:template <.*>\s+)?(?:(?!if\b)\w+ )*?constexpr\b", re.S)
THEIRS = {backend: re.compile(rf"struct \w*{backend.title()}\b") for backend in BACKENDS}


def names_of(constant):
    """What a declaration of constants, or of a function of them, calls them."""
    if constant.is_head:
        return set(re.findall(r"(\w+)\s*\(", constant.text))
    return set(re.findall(r"(\w+)\s*(?:=[^=]|\[|\{)", constant.text))


def is_used(statement, backend, words, around, behind):
    """Whether a constant belongs to the backend: in a function, where a statement behind it does; else, where one names it,
    for a class only if this is a table of constants or something else of it counts."""
    if statement.heads():
        return behind.get(statement.block, 0) > statement.number
    if not names_of(statement) & words:
        return False
    kind = statement.block.text if statement.block else "namespace"
    return bool(re.search(r"\bnamespace\b", kind)) or statement.block in around or bool(THEIRS[backend].search(kind))


def written_in(function, files):
    """The statements that the compiler has of a function. Where an object of a lambda is made, nvcc names lines of the
    lambda's body: its own function has these, if someone calls it."""
    found = {s for name, lines in function.items() for s in files[name] if s.lines & lines}

    def is_only_made(statement):
        return any(head.has_lambda and any(s is not head and head not in s.heads() and s.function() is head.function() for s in found)
                   for head in statement.heads())

    return {s for s in found if not is_only_made(s)}


def with_included(names):
    """These files and those that they include, as far as they are counted."""
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found and not SHARED.match(name):
            found.add(name)
            paths = re.findall(r"^#include <(ado|native_cuda)/(\S+)>", (ROOT / name).read_text(), re.M)
            left += [f"{'lib/ado' if top == 'ado' else top}/{path}" for top, path in paths]
    return {name for name in found if (ROOT / name).suffix != ".inc"}


def counted(functions, backend):
    """{file: its lines that count} of what the compiler has."""
    files = {name: statements_of(name) for name in with_included(name for function in functions for name in function)}
    chosen = set()

    def take(statement):
        chosen.update([statement, *statement.heads()])

    for function in functions:
        for statement in written_in(function, files):
            text = " ".join(statement.text.split())
            if not (statement.is_head and re.match(r"(else\b|if constexpr\b)", text)) and not (
                    CONSTANT.match(text) or re.match(r"using\b|static_assert\b", text) or re.search(r"\bthrow\b|Variant<", text)):
                take(statement)
    # What the compiler computes has no code of its own.
    candidates = {}
    for statement in (s for file in files.values() for s in file if CONSTANT.match(s.text) or not s.is_head and
                      re.match(r"\s*const\b.*=", s.text, re.S)):
        candidates.setdefault((statement.block, *sorted(names_of(statement))), statement)  # of several behind #if the first
    more = True
    while more:
        words = set(re.findall(r"\w+", " ".join(s.text for s in chosen)))
        around = {block for s in chosen for block in s.around()}
        behind = {}
        for statement in chosen:
            behind[statement.block] = max(behind.get(statement.block, 0), statement.number)
        more = [s for s in candidates.values() if s not in chosen and is_used(s, backend, words, around, behind)]
        for constant in more:
            take(constant)
            if constant.is_head:
                for file in files.values():
                    chosen.update(s for s in file if constant in s.heads())
    return {name: {line for s in file if s in chosen for line in s.lines} for name, file in files.items()}


def count(commands, algorithm, way):
    """For each backend the lines that count, as (file, line)."""
    found = []
    for backend in BACKENDS:
        kind = {"CPU": "Host", "GPU": "Cuda"}[backend] if way == BY_HAND else "Portable"
        source = {"Host": f"lib/ado/{algorithm}/openmp/team.cpp", "Cuda": f"native_cuda/{algorithm}/team.cu",
                  "Portable": f"lib/ado/{algorithm}/kokkos/{way}.cpp"}[kind]
        found.append({(name, line) for name, lines in counted(compiled(commands, source, backend, kind), backend).items() for line in lines
                      if algorithm == "transpose" or not ELSEWHERE.match(name)})
    return found


def show(lines):
    """Prints the lines that only one backend has."""
    for backend, only in zip(BACKENDS, (lines[0] - lines[1], lines[1] - lines[0])):
        print(f"{backend} alone: {len(only)} of {len(lines[0] | lines[1])}")
        for name, line in sorted(only):
            print(f"  {name}:{line}: {(ROOT / name).read_text().splitlines()[line - 1]}")


# The table

def digest(name):
    """Of a file's text without comments and blanks, for these do not count."""
    code = NOT_CODE.sub(lambda found: " " if found[0].startswith(("//", "/*")) else found[0], (ROOT / name).read_text())
    return hashlib.sha256(" ".join(code.split()).encode()).hexdigest()[:12]


def table_of(commands):
    """Text of TABLE."""
    wanted = [(algorithm, way) for algorithm in ALGORITHMS for way in (*WAYS, BY_HAND)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda one: count(commands, *one), wanted))
    rows = [f'{{"{algorithm}", "{way}", {len(cpu | gpu)}, {len(cpu ^ gpu)}}},' for (algorithm, way), (cpu, gpu) in zip(wanted, found)]
    names = sorted({name for cpu, gpu in found for name, _ in cpu | gpu})
    return "\n".join(["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
                      "// Made by benchmarks/kernel_lines.py: algorithm, variant, its lines, and those that only one backend compiles.", *rows,
                      "// What was counted, and digests of it:", *(f"// {digest(name)} {name}" for name in names), ""])


def changed_files():
    return [name for old, name in re.findall(r"^// ([0-9a-f]{12}) (\S+)$", TABLE.read_text(), re.M)
            if not (ROOT / name).exists() or digest(name) != old]


def page_table():
    """TABLE as a page has it."""
    found = {(algorithm, way): (int(lines), int(alone)) for algorithm, way, lines, alone in
             re.findall(r'^\{"(\w+)", "([\w ]+)", (\d+), (\d+)\},$', TABLE.read_text(), re.M)}
    cells = [[f"`{algorithm}`", *(f"{found[algorithm, way][0]}, {100 * found[algorithm, way][1] / found[algorithm, way][0]:.0f} %"
                                  for way in (*WAYS, BY_HAND))] for algorithm in ALGORITHMS]
    return markdown_table(["lines, and the share that only one backend compiles", *(f"`{way}`" for way in WAYS), BY_HAND], cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, nargs="?", metavar="BUILD")
    parser.add_argument("--show", nargs=2, metavar=("ALGORITHM", "VARIANT"))
    for option in ("--check", "--stale", "--table"):
        parser.add_argument(option, action="store_true")
    arguments = parser.parse_args()
    again = f"make {TABLE.relative_to(ROOT)} again: benchmarks/kernel_lines.py BUILD (its --help says what BUILD is)"
    if arguments.stale:
        if changed := changed_files():
            sys.exit(f"changed since lines were counted: {', '.join(changed)}; {again}")
    elif not arguments.table:
        if not arguments.build:
            parser.error("which BUILD?")
        commands = commands_of(arguments.build.resolve())
        if arguments.show:
            return show(count(commands, *arguments.show))
        text = table_of(commands)
        if not arguments.check:
            TABLE.write_text(text)
        elif text != TABLE.read_text():
            sys.exit(again)
    print("\n".join(page_table()))


if __name__ == "__main__":
    main()
