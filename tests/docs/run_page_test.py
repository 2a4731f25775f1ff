"""Pages that are wrong are found out; a small script stands for the program."""

import pathlib
import tempfile

from run_page import Page, Trouble

OLOID = """#!/bin/sh
case "$1 $2" in
  "check bad.toml") echo "oloid: bad.toml:1 no good"; exit 1 ;;
  "fail ") exit 4 ;;
  *) echo "$@" ;;
esac
"""


def run(text):
    """The trouble that a page makes, or what it has run and left out."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program = folder / "build" / "bin" / "oloid"
        program.parent.mkdir(parents=True)
        program.write_text(OLOID)
        program.chmod(0o755)
        file = folder / "page.md"
        file.write_text(text)
        page = Page(file, folder / "build", folder / "work")
        try:
            page.run()
        except (Trouble, ValueError) as trouble:
            return str(trouble)
        finally:
            page.session.close()
        return page.ran, len(page.left_out)


def block(language, *lines, note=""):
    return "\n".join([f"<!-- {note} -->" if note else "", f"```{language}", *lines, "```", ""])


assert run(block("sh", "oloid run", "cd /tmp")) == (2, 0)
assert "exit code 4" in run(block("sh", "oloid fail"))
assert run(block("console", "$ oloid run", "run")) == (1, 0)
assert "the program says" in run(block("console", "$ oloid run", "walk"))
assert run(block("console", "$ oloid check bad.toml", "oloid: bad.toml:1 ...")) == (1, 0)
assert "exit code 0" in run(block("console", "$ echo oloid: a", "oloid: a"))
assert run(block("console", "$ for i in 1 2; do", ">   echo $i", "> done", "1", "2")) == (1, 0)
assert run(block("sh", "export A=1") + block("console", "$ echo $A", "1")) == (2, 0)
assert run(block("toml", "# good.toml", "a = 1") + block("console", "$ cat good.toml", "# good.toml", "a = 1")) == (2, 0)
assert "no good" in run(block("toml", "# bad.toml", "a = 1"))
assert run(block("toml", "# bad.toml, wrong", "a = 1")) == (1, 0)
assert "exit code 0" in run(block("toml", "# good.toml, wrong", "a = 1"))
assert "name the file" in run(block("toml", "a = 1"))
assert "no a.toml to continue" in run(block("toml", "# a.toml, continued", "a = 1"))
assert run(block("toml", "a = 1", "b = 2", note="lines for good.toml body.x")) == (2, 0)
assert "no good" in run(block("toml", "a = 1", note="lines for bad.toml body.x"))
assert "say what the block is" in run(block("", "oloid run"))
assert "nobody runs it" in run(block("text", "oloid run a.toml"))
assert "no rule" in run(block("perl", "1"))
assert "Expecting" in run(block("json", "{"))
assert "exit code 1" in run(block("python", "assert False"))
assert run(block("python", "assert True")) == (1, 0)
assert run(block("sh", "false", note="not run: a reason")) == (0, 1)
assert run(block("sh", "scripts/setup build")) == (0, 1)
assert "there is no scripts/nothing" in run(block("sh", "scripts/nothing"))
assert "exit code 4" in run("<!-- commands in a table -->\n\n| | |\n|---|---|\n| `oloid fail` | |\n")
print("wrong pages are found out")
