"""Equations that the code cites are in the documents: "docs/theory/PAGE.md eqs. 3 to 5 and 7".

A citation without a page means the page that the same file named last.
"""

import re
import sys

from fences import ROOT

CITATION = re.compile(r"(?P<page>\b\w+\.md)|(?<![\w])eqs?\.\s+(?P<numbers>[A-Z]?\d+(?:(?:\s*,\s*|\s+and\s+|\s+to\s+)[A-Z]?\d+)*)")
TAG = re.compile(r"\\tag\{(\w+)\}|\((\w?\d+)\)\s*$", re.M)


def numbers(text):
    """"1 to 3 and 7" → 1, 2, 3, 7; S1 to S3 likewise."""
    for part in re.split(r"\s*,\s*|\s+and\s+", text):
        ends = re.split(r"\s+to\s+", part)
        letter = re.match(r"[A-Z]?", ends[0]).group()
        first, last = (int(re.sub(r"\D", "", end)) for end in (ends[0], ends[-1]))
        yield from (f"{letter}{n}" for n in range(first, last + 1))


def equations():
    """Of each page that has some: name → numbers."""
    pages = [*(ROOT / "docs" / "theory").glob("*.md"), ROOT / "docs" / "haptics.md"]
    return {page.name: {a or b for a, b in TAG.findall(page.read_text(encoding="utf-8"))} for page in pages}


def comment_text(file):
    """The text with comment marks at line beginnings taken away, so that citations may run over two lines."""
    return re.sub(r"\n\s*//+", "\n", file.read_text(encoding="utf-8"))


def main():
    known, troubles, count = equations(), [], 0
    files = [f for folder in ("src", "apps", "tests", "benchmarks", "examples") for f in (ROOT / folder).rglob("*")]
    for file in sorted(f for f in files if f.suffix in {".h", ".cpp", ".md"}):
        page = None
        for found in CITATION.finditer(comment_text(file)):
            if found["page"]:
                page = found["page"] if found["page"] in known else page
                continue
            count += 1
            name = file.relative_to(ROOT)
            if page is None:
                troubles.append(f"{name}: {found.group()} names no page of docs/theory")
                continue
            for number in numbers(found["numbers"]):
                if number not in known[page]:
                    troubles.append(f"{name}: {page} has no equation {number}")
    print("\n".join(troubles) or f"{count} citations are good")
    sys.exit(bool(troubles))


if __name__ == "__main__":
    main()
