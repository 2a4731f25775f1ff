"""The web site: Sphinx reads the Markdown pages where they are. scripts/site builds it."""

import html
import os
import pathlib
import re
import shutil

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CppLexer, TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx.util.matching import patmatch

ROOT = pathlib.Path(__file__).resolve().parents[2]
KATEX = pathlib.Path("/usr/share/javascript/katex")

project = "oloid"
version = re.search(r"project\(oloid VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
html_title = f"oloid {version}"
copyright = "the authors of oloid, Apache-2.0"

extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "docs/*/*.md", "benchmarks/README.md",
                    "tests/docs/README.md", "src/oloid/*/README.md"]
exclude_patterns = [".git", "build", "scenes", "tests/data", "web"]  # not walked through
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # scenes with parts left out

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css", "katex/katex.min.css"]
html_js_files = ["katex/katex.min.js", "mathematics.js"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "friendly", "monokai"

NAVIGATION = {
    "Tutorial and how-to": ["docs/tutorial", "docs/howto/README"],
    "Reference": ["docs/cli", "docs/formats/scene", "docs/formats/record", "docs/formats/events", "docs/formats/summary",
                  "docs/formats/distance", "docs/formats/gltf", "docs/haptics"],
    "Explanation": ["docs/tour", "docs/notation", "docs/theory/README", "docs/decisions/README"],
    "Validation": ["docs/scope", "docs/accuracy", "docs/experiments/README", "benchmarks/README", "docs/comparison"],
    "Contributing": ["CONTRIBUTING", "CHANGELOG", "tests/docs/README"],
}


def toctree(caption, pages):
    return "\n```{toctree}\n:hidden:\n" + (f":caption: {caption}\n" if caption else "") + "\n" + "\n".join(pages) + "\n```\n"


def below(name):
    """Pages in the folder of an index page, in the order in which it links to them."""
    folder = (ROOT / name).parent
    links = re.findall(r"\]\(([\w-]+\.md)\)", (ROOT / f"{name}.md").read_text(encoding="utf-8"))
    return [link.removesuffix(".md") for link in dict.fromkeys(links) if (folder / link).exists()]


shown_files = set()  # of the repository, linked to by a page: each gets a page of its own


def link_to_file(name):
    """Turns links to files and folders that are no pages into links to what on_pages makes of them."""

    def change(found):
        text, target = found.groups()
        path = (ROOT / name).parent / target.partition("#")[0]
        file = os.path.relpath(path.resolve(), ROOT)
        page = any(patmatch(file, pattern) for pattern in include_patterns)
        if re.match(r"[a-z]+:|#", target) or page or not path.exists():
            return found.group()
        shown_files.add(file)
        up = "../" * name.count("/")
        return f'<a href="{up}files/{file}.html">{text}</a>'

    return change


def on_source(_app, name, source):
    """What Markdown on GitHub has and Sphinx writes in another way: mathematics, links to files, navigation."""
    text = re.sub(r"^```math\n(.*?)^```$", r"```{math}\n\1```", source[0], flags=re.M | re.S)
    text = re.sub(r"(?<!!)\[((?:!\[[^\]]*\]\([^)]*\)|[^\]\[])*)\]\(([^)\s]+)\)", link_to_file(name), text)
    if name == root_doc:
        text += toctree("", ["docs/README"]) + "".join(toctree(caption, pages) for caption, pages in NAVIGATION.items())
        rooms = sorted(str(p.relative_to(ROOT).with_suffix("")) for p in ROOT.glob("src/oloid/*/README.md"))
        text += toctree("Rooms of the source", rooms)
    elif name.endswith("/README") and name.startswith("docs/") and name != "docs/README":
        text += toctree("", below(name))
    source[0] = text


def formula(display):
    def visit(translator, node):
        text = translator.encode(node.astext())
        tag = "div" if display else "span"
        translator.body.append(f'<{tag} class="formula" data-display="{str(display).lower()}">{text}</{tag}>')
        raise nodes.SkipNode

    return visit, None


def on_pages(_app):
    """A page for each file of the repository that some page links to."""
    for name in sorted(shown_files):
        path = ROOT / name
        if path.is_dir():
            listed = sorted(str(p.relative_to(path)) for p in path.rglob("*") if p.is_file())
            body = "<ul>" + "".join(f"<li><code>{html.escape(p)}</code></li>" for p in listed) + "</ul>"
        else:
            text = path.read_text(encoding="utf-8")
            try:
                lexer = CppLexer() if name.endswith(".h") else get_lexer_for_filename(name)
            except ClassNotFound:
                lexer = TextLexer()
            body = highlight(text, lexer, HtmlFormatter(cssclass="highlight"))
        yield f"files/{name}", {"title": name, "body": f"<h1><code>{name}</code></h1>{body}"}, "page.html"


def bundle_theme(scripts):
    """Debian has the theme's script unbundled, and browsers import nothing from files: what it imports is put before it."""
    theme = (scripts / "furo.js").read_text(encoding="utf-8")
    line = 'import Gumshoe from "./gumshoe-patched.js";\n'
    if line in theme:
        imported = (scripts / "gumshoe-patched.js").read_text(encoding="utf-8")
        (scripts / "furo.js").write_text(imported + theme.replace(line, ""), encoding="utf-8")


def on_finished(app, error):
    if error is not None:
        return
    site = pathlib.Path(app.outdir)
    shutil.copytree(KATEX, site / "_static" / "katex", dirs_exist_ok=True)
    bundle_theme(site / "_static" / "scripts")
    (site / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=README.html"><title>oloid</title>'
        '<a href="README.html">oloid</a>\n', encoding="utf-8")


def setup(app):
    app.connect("source-read", on_source)
    app.connect("html-collect-pages", on_pages)
    app.connect("build-finished", on_finished)
    app.add_html_math_renderer("katex", formula(False), formula(True))


html_math_renderer = "katex"
