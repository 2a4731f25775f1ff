"""The documents name what the code has.

Checked are names in backticks that are one word (`Forest`, `kTransitions`, `Forest::solve`, `w(3)`), paths in backticks or as
the text of a link (`world/grip.cpp`), and in plain text and `text` blocks whatever can only be a name (Forest::solve, first_hit).

- A word must be in the sources outside of comments, be the name of a file, or be in a block of the same page that is run.
- `Name::member` must be written so somewhere, or a file that declares Name must have the member; `oloid::world` is a room.
- A path must be the end of one in the tree; `*` and `<surface>` stand for anything. What is under build/ is made by a build.

docs/decisions are history: of them only links are checked, by links_test.py.
"""

import fnmatch
import functools
import os
import re

from fences import ROOT, blocks, name_of, without_blocks

PAGES = ("docs/theory/*.md", "docs/tour.md", "docs/notation.md", "docs/howto/*.md", "src/oloid/**/README.md")
SOURCES = ("src", "apps", "scripts", "cmake", "web/src", "tests/laws", "docs/formats/scene.schema.json")
SUFFIXES = {".h", ".cpp", ".ts", ".txt", ".cmake", ".json", ""}  # "": scripts
NOT_OURS = {".git", ".cache", "build", "out", "node_modules"}
EXCEPTIONS = {
    "bin/plot_curvature": "a program, where a build puts it",
    "geomdl": "a package of Python",
    "getUKnots()": "a function of FreeCAD",
    "p_PQ_E": "a pattern for names",
}

NAME = re.compile(r"`(?P<code>[^`]+)`"
                  r"|\[(?P<link>[^\]`]+)\]\("
                  r"|(?<![\w/.-])(?P<bare>\w+(?:::\w+)+|[a-z]{2,}(?:_[a-z]{2,})+)(?![\w/.-])")
WORD = re.compile(r"(\w+(?:::\w+)*)(?:<.*>)?(?:\(.*\))?")
PATH = re.compile(r"[\w.*<>-]+(?:/[\w.*<>-]*)+|[\w*<>-]+\.(?:h|cpp|md|py)")


class Code:
    """The names that there are, from the paths of the tree and the texts of source files."""

    def __init__(self, paths, texts):
        self.paths = paths
        self.texts = [re.sub(r"//.*|^ *#.*", "", text, flags=re.M) for text in texts]
        self.words = {word for text in self.texts for word in re.findall(r"\w+", text)}
        self.words |= {os.path.basename(path).partition(".")[0] for path in paths}

    @functools.cache
    def has_path(self, path):
        pattern = "*/" + re.sub(r"<\w+>", "*", path).rstrip("/")
        return any(fnmatch.fnmatchcase(known, pattern) for known in self.paths)

    @functools.cache
    def has_member(self, name, member):
        declares = re.compile(rf"\b(?:class|struct|namespace|using)\s+(?:\w+::)*{name}\b").search
        has, has_both = re.compile(rf"\b{member}\b").search, re.compile(rf"\b{name}::{member}\b").search
        is_room = self.has_path(f"{name}/{member}")
        return is_room or any(has_both(text) or (declares(text) and has(text)) for text in self.texts)

    def has_word(self, word):
        parts = word.split("::")
        return self.words.issuperset(parts) and all(self.has_member(*two) for two in zip(parts, parts[1:]))


def unknown(text, code, own_words=frozenset()):
    """Line and name of each name in a text that the code does not have."""
    for found in NAME.finditer(text):
        name = found[found.lastgroup]
        word = WORD.fullmatch(name) if found.lastgroup != "link" else None
        if name in EXCEPTIONS:
            continue
        if PATH.fullmatch(name):
            known = name.startswith("build/") or code.has_path(name)
        else:
            known = not word or word[1] in own_words or code.has_word(word[1])
        if not known:
            yield text.count("\n", 0, found.start()) + 1, name


def text_of(page):
    """A page with its `text` blocks and without all others."""
    lines = without_blocks(page)
    for block in blocks(page):
        if block.language == "text":
            lines[block.line - 1:block.line - 1 + len(block.lines)] = block.lines
    return "\n".join(lines)


def words_run_by(page):
    return {word for block in blocks(page) if block.language not in {"text", "math"} for word in re.findall(r"\w+", block.text)}


def tree():
    """Every file and folder of the repository, with a slash in front."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        yield from ("/" + name_of(os.path.join(folder, name)) for name in folders + files)


def test_the_rules():
    code = Code(["/src/oloid", "/src/oloid/world", "/src/oloid/world/grip.cpp"],
                ["struct Hold { int pair; };  // Leg", "enum class Grip { stuck }; f(Hold::pair);", "int the_other;"])

    def wrong(text, own_words=frozenset()):
        return [name for _, name in unknown(text, code, own_words)]

    for name in ("Hold", "Hold::pair", "Grip::stuck", "oloid::world", "pair(3)", "grip", "the_other",
                 "world/grip.cpp", "grip.cpp", "world/", "world/g*", "<any>.cpp"):
        assert wrong(f"`{name}`") == [], name
    for name in ("Held", "Hold::pai", "Hold::the_other", "Hold::stuck", "Hold::pairs()", "oloid::grip", "Leg", "pairs",
                 "world/hold.cpp", "hold.h", "rip.cpp"):
        assert wrong(f"`Hold` and `{name}`") == [name], name
    assert wrong("the_other, Hold::pair, no_other, Hold::pairs, λ_min, a/no_path, `two no_words`") == ["no_other", "Hold::pairs"]
    assert wrong("[world/grip.cpp](x) [dynamics/grip.cpp](x) [another page](y)") == ["dynamics/grip.cpp"]
    assert wrong("`mine` `yours`", own_words={"mine"}) == ["yours"]


def main():
    test_the_rules()
    files = [file for place in SOURCES for file in [ROOT / place, *(ROOT / place).rglob("*")]]
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file() and file.suffix in SUFFIXES]
    code = Code(list(tree()), texts)
    troubles = [f"{name_of(page)}:{line}: the code has no {name}"
                for pattern in PAGES for page in sorted(ROOT.glob(pattern))
                for line, name in unknown(text_of(page), code, words_run_by(page))]
    print("\n".join(troubles) or "the code has all that the documents name")
    raise SystemExit(bool(troubles))


if __name__ == "__main__":
    main()
