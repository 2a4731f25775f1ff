"""The reference of commands in docs/cli.md is what the program says of itself, and the gallery of the README has all its
scenes: generated_test.py OLOID.

With OLOID_UPDATE_DOCS=1 it is written instead of compared.
"""

import os
import re
import subprocess
import sys

from fences import ROOT

PAGE = ROOT / "docs" / "cli.md"
BEGIN, END = "<!-- reference: generated from oloid --help -->\n\n", "<!-- end of reference -->\n"


def help_of(oloid, *command):
    return subprocess.run([oloid, *command, "--help"], capture_output=True, text=True, check=True).stdout.rstrip() + "\n"


def reference(oloid):
    top = help_of(oloid)
    names = re.findall(r"^  (\w+) ", top.partition("Subcommands:\n")[2], re.M)
    text = f"```text\n{top}```\n\n"
    for name in names:
        text += f"### `oloid {name}`\n\n```text\n{help_of(oloid, name)}```\n\n"
    return text


def missing_in_gallery(oloid):
    listed = subprocess.run([oloid, "list"], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines()]
    gallery = (ROOT / "README.md").read_text(encoding="utf-8")
    return [name for name in names if f"`oloid demo {name}`" not in gallery]


def main():
    text = PAGE.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE}: there is no place for the reference")
    fresh = before + BEGIN + reference(sys.argv[1]) + END + after
    if os.environ.get("OLOID_UPDATE_DOCS"):
        PAGE.write_text(fresh, encoding="utf-8")
    elif fresh != text:
        sys.exit(f"{PAGE.relative_to(ROOT)} is stale: run this test once with OLOID_UPDATE_DOCS=1")
    if missing := missing_in_gallery(sys.argv[1]):
        sys.exit(f"README.md: the gallery does not show {', '.join(missing)}")
    print("the reference of commands is fresh")


if __name__ == "__main__":
    main()
