# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site: the project's pages as they lie, and the API from the headers' comments. cmake --build BUILD --target docs"""
import html
import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

root = pathlib.Path(__file__).resolve().parents[2]  # Sphinx' source folder: no page is copied
project = "ado"
copyright = "the authors of ado"
release = re.search(r"VERSION ([\d.]+)", root.joinpath("CMakeLists.txt").read_text().split("project(ado")[1])[1]

extensions = ["myst_parser", "breathe", "sphinx_copybutton"]
root_doc = "docs/site/index"
include_patterns = ["*.md", "docs/**.md", "python/README.md", "examples/digits/README.md"]
exclude_patterns = ["build", "**/.*"]
myst_heading_anchors = 6
highlight_language = "text"
breathe_default_project = "ado"
breathe_default_members = ("members", "undoc-members")
cpp_index_common_prefix = ["ado::"]

html_theme = "furo"
html_title = f"ado {release}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
# A button on what is typed (indented: language "none"), not on what a command printed (fenced without a language: "text").
copybutton_selector = ":not(.highlight-text) > div.highlight > pre"

shown = {}  # of the links that lead to no page: where on the site each file and folder is
TEXTS = (".cpp", ".hpp", ".cu", ".py", ".txt", ".yml", ".cff", "")


def run_doxygen(app):
    output = pathlib.Path(app.doctreedir) / "doxygen"
    output.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "docs/site/Doxyfile"], cwd=root, check=True, env={**os.environ, "ADO_DOXYGEN_OUTPUT": str(output)})
    app.config.breathe_projects = {"ado": str(output / "xml")}


class Functions(SphinxDirective):
    """Every function of a header, so that a new overload comes by itself; breathe's doxygenfile repeats the namespace."""
    required_arguments = 1

    def run(self):
        folder = pathlib.Path(self.config.breathe_projects["ado"])
        files = [folder / f"namespace{name}.xml" for name in ("ado", "ado_1_1bench", "ado_1_1distributed")]
        names = [member.findtext("qualifiedname") + member.findtext("argsstring")
                 for file in files for member in xml.etree.ElementTree.parse(file).iter("memberdef")
                 if member.get("kind") == "function" and member.find("location").get("file") == self.arguments[0]]
        if not names:
            raise self.error(f"{self.arguments[0]} has no functions")
        here = nodes.Element()
        self.state.nested_parse(StringList([line for name in names for line in (f"```{{doxygenfunction}} {name}", "```")]), 0, here)
        return here.children


def link_sources(app, document):
    """Links to files and folders of the project that are no pages lead to pages with their text."""
    here = pathlib.Path(app.env.doc2path(app.env.docname)).parent
    for link in [*document.traverse(addnodes.pending_xref), *document.traverse(addnodes.download_reference)]:
        path = (here / link["reftarget"]).resolve()
        if link.get("reftype") != "myst" or path.suffix == ".md" or not path.exists() or root not in path.parents:
            continue
        if path.is_file() and path.suffix not in TEXTS:
            continue  # is downloaded
        name = shown[path] = f"files/{path.relative_to(root)}"
        uri = app.builder.get_relative_uri(app.env.docname, name)
        link.replace_self(nodes.reference("", "", *link.children, refuri=uri, internal=True))


def name_language(app, document):
    """Examples in the headers' comments are C++."""
    for block in document.traverse(nodes.literal_block):
        if "/api/" in app.env.docname:
            block["language"] = block.get("language", "cpp")


def pages_of_sources(app):
    """What link_sources leads to. The first page is the root's: the index lies deeper, for it is a file of the project."""
    for path, name in sorted(shown.items()):
        text = f"<h1>{path.relative_to(root)}</h1>"
        for file in [path] if path.is_file() else sorted(path.iterdir()):
            if file.suffix not in TEXTS or not file.is_file():
                continue
            language = {".py": "python", ".yml": "yaml", ".txt": "cmake", ".cff": "yaml", "": "text"}.get(file.suffix, "c++")
            heading = f"<h2>{html.escape(file.name)}</h2>" if path.is_dir() else ""
            text += heading + app.builder.highlighter.highlight_block(file.read_text(), language)
        yield name, {"title": path.name, "body": text}, "page.html"


def keep_words(app, page, template, context, doctree):
    """What is typed wraps between words, not behind a hyphen of an option."""
    context["body"] = re.sub(r'(?<=<div class="highlight-none notranslate"><div class="highlight"><pre><span></span>)[^<]*',
                             lambda typed: re.sub(r"\S+", r"<span>\g<0></span>", typed[0]), context.get("body", ""))


def bundle_furo(app, error):
    """Debian's furo is not bundled as PyPI's is: its script imports another, which only a module may; it is dark where the reader
    asks for it, but not where the system does; and that of 2022 takes a style from the server's root."""
    if error:
        return
    static = pathlib.Path(app.outdir, "_static")
    script, sheet = static / "scripts/furo.js", static / "styles/furo.css"
    first, rest = script.read_text().split("\n", 1)
    if first.startswith("import "):
        script.write_text((static / "scripts/gumshoe-patched.js").read_text() + rest)
    look = re.sub(r"@import url\((/javascript/[^)]*)\);", lambda found: pathlib.Path(f"/usr/share{found[1]}").read_text(),
                  sheet.read_text())
    if not re.search(r'body:not\(\[data-theme="?light', look):
        dark = re.search(r'body\[data-theme="dark"\] (\{.*?\})', look, re.DOTALL)[1]
        look += f'@media screen and (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark} }}\n'
    sheet.write_text(look)


def lead_to_index(app, error):
    pathlib.Path(app.outdir, "index.html").write_text('<meta http-equiv="refresh" content="0; url=docs/site/index.html">\n')


def setup(app):
    app.add_directive("functions", Functions)
    app.connect("builder-inited", run_doxygen, priority=1)
    app.connect("doctree-read", link_sources)
    app.connect("doctree-read", name_language)
    app.connect("html-collect-pages", pages_of_sources)
    app.connect("html-page-context", keep_words)
    app.connect("build-finished", bundle_furo)
    app.connect("build-finished", lead_to_index)
