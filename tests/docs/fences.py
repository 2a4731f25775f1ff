"""Fenced blocks of a Markdown page, with what the comment before them says of them."""

import dataclasses
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def name_of(page):
    return os.path.relpath(page, ROOT)


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    line: int  # of the first line inside
    language: str
    text: str
    note: str  # what <!-- ... --> on the line before the fence says; often empty

    @property
    def place(self):
        return f"{name_of(self.page)}:{self.line}"

    @property
    def lines(self):
        return self.text.splitlines()


def pages():
    """All Markdown files of the repository, without build folders."""
    found = ROOT.rglob("*.md")
    hidden = {"build", "out", "node_modules", ".git", ".cache"}
    return sorted(p for p in found if not hidden.intersection(p.relative_to(ROOT).parts))


def blocks(page):
    """The fenced blocks of a page, in order."""
    found, fence, note = [], None, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.match(r"\s*(```+)(.*)", line)
        if fence is None and mark:
            fence = mark.group(1)
            found.append(Block(page, number + 1, mark.group(2).strip(), "", note))
        elif fence is not None and line.strip() == fence:
            fence, note = None, ""
        elif fence is not None:
            found[-1].text += line + "\n"
        else:
            comment = re.fullmatch(r"\s*<!--\s*(.*?)\s*-->\s*", line)
            note = comment.group(1) if comment else ""
    if fence is not None:
        raise SystemExit(f"{found[-1].place}: the block does not end")
    return found


def without_blocks(page):
    """The lines of a page, those of fenced blocks left empty."""
    kept, fence = [], None
    for line in page.read_text(encoding="utf-8").splitlines():
        mark = re.match(r"\s*(```+)", line)
        if fence is None and mark:
            fence = mark.group(1)
            kept.append("")
        elif fence is not None:
            fence = None if line.strip() == fence else fence
            kept.append("")
        else:
            kept.append(line)
    return kept


def commands_in_tables(page):
    """(line, command) of the code in tables after <!-- commands in a table -->."""
    found, wanted = [], False
    for number, line in enumerate(without_blocks(page), 1):
        if line.strip() == "<!-- commands in a table -->":
            wanted = True
        elif line.strip() and not line.startswith("|"):
            wanted = False
        elif wanted:
            found += [(number, command) for command in re.findall(r"`([^`]+)`", line)]
    return found
