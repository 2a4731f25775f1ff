"""All relative links of all Markdown pages lead to a file, and their anchors to a heading."""

import re
import sys
import unicodedata
import urllib.parse

from fences import name_of, pages, without_blocks

LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HTML = re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")


def slug(heading):
    """The anchor that GitHub gives to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    kept = (c for c in text if c in "-_ " or unicodedata.category(c)[0] in "LN")
    return "".join(kept).replace(" ", "-")


def anchors(page):
    found = []
    for line in without_blocks(page):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            name = slug(heading.group(1))
            count = sum(1 for other in found if re.fullmatch(re.escape(name) + r"(-\d+)?", other))
            found.append(name if not count else f"{name}-{count}")
    return found


def main():
    troubles, count = [], 0
    for page in pages():
        text = "\n".join(re.sub(r"`[^`]*`", "", line) for line in without_blocks(page))
        for found in [*LINK.finditer(text), *HTML.finditer(text)]:
            target = found.group(1)
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            file = (page.parent / path).resolve() if path else page
            place = f"{name_of(page)}:{text.count(chr(10), 0, found.start()) + 1}"
            if not file.exists():
                troubles.append(f"{place}: there is no {target}")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                troubles.append(f"{place}: {target}: no such heading")
    print("\n".join(troubles) or f"{count} links are good")
    sys.exit(bool(troubles))


if __name__ == "__main__":
    main()
