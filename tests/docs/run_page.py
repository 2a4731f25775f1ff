"""Runs every block of a page as a reader would: run_page.py PAGE --build FOLDER --work FOLDER.

The rules are in README.md beside this file. Exit code 77: everything that could be run is good, but Python or h5py is
missing for the rest.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

from expected_output import matches
from fences import ROOT, blocks, commands_in_tables, name_of
from session import Session

PLAIN = {"text", "math"}  # nothing to run
FILES = {"toml": "#", "cpp": "//", "cmake": "#", "python": "#"}  # how a comment begins
WORKSHOP = re.compile(r"(scripts|\.ci)/(\w+)")  # these work on the tree itself

COMMAND = re.compile(r"\$ |oloid (demo|run|view|plot|export|check|distance|replay|recover|list) |(scripts|build)/\S+")


class Trouble(Exception):
    pass


class Page:
    def __init__(self, page, build, work):
        self.page = page
        self.python = python_with_h5py()
        self.session = Session(work, build, self.python or sys.executable)
        self.ran, self.left_out, self.missing = 0, [], False

    def run(self):
        for block in blocks(self.page):
            if not block.language:
                raise Trouble(f"{block.place}: say what the block is, e.g. ```sh, ```console or ```text")
            reason = re.fullmatch(r"not run: (.+)", block.note)
            if reason:
                self.leave_out(block, reason.group(1))
            elif block.language in PLAIN:
                self.check_plain(block)
            elif block.language in ("sh", "console"):
                self.run_shell(block)
            elif block.language == "json":
                json.loads(block.text)
                self.ran += 1
            elif block.language in FILES:
                self.file_or_program(block)
            else:
                raise Trouble(f"{block.place}: no rule for ```{block.language}")
        for line, command in commands_in_tables(self.page):
            self.run_command(f"{name_of(self.page)}:{line}", command, None)
        self.session.close()

    def leave_out(self, block, why):
        self.left_out.append(f"{block.place}: {block.lines[0].strip() if block.lines else ''}  ({why})")

    def check_plain(self, block):
        for line in block.lines:
            if block.language == "text" and COMMAND.match(line):
                raise Trouble(f"{block.place}: a command in ```text, so nobody runs it: {line}")

    # sh: commands. console: "$ command", each followed by what it prints.
    def run_shell(self, block):
        for line, command, expected in commands(block):
            place = f"{name_of(block.page)}:{block.line + line}"
            workshop = WORKSHOP.match(command)
            if workshop:
                if not os.access(ROOT / workshop.group(0), os.X_OK):
                    raise Trouble(f"{place}: there is no {workshop.group(0)}")
                self.left_out.append(f"{place}: {command}  (works on the tree itself)")
            elif not self.python and self.needs_h5py(command):
                self.missing = True
                self.left_out.append(f"{place}: {command}  (no Python with h5py here)")
            else:
                self.run_command(place, command, expected)

    def needs_h5py(self, command):
        program = re.match(r"python3 (\S+)", command)
        return program and "h5py" in self.session.path(program.group(1)).read_text(encoding="utf-8")

    def run_command(self, place, command, expected):
        printed, code = self.session.run(command)
        to_fail = expected is not None and re.search(r"^oloid: ", expected, re.M)
        if bool(code) != bool(to_fail):
            raise Trouble(f"{place}: {command}\nexit code {code}\n{printed}")
        if expected is not None and not matches(expected, printed):
            raise Trouble(f"{place}: {command}\n--- the page says\n{expected}--- the program says\n{printed}")
        self.ran += 1

    # A first line "# NAME" makes the block a file; other Python is run at once.
    def file_or_program(self, block):
        first = block.lines[0] if block.lines else ""
        named = re.fullmatch(rf"{FILES[block.language]} ([\w./-]+\.\w+)(?:, (continued|to be included|wrong))?.*", first)
        if block.note.startswith("copy of "):
            self.compare(block, ROOT / block.note.removeprefix("copy of "))
        elif named:
            self.write(block, named.group(1), named.group(2))
        elif block.note.startswith("lines for "):
            self.check_lines(block)
        elif block.language == "python":
            self.run_python(block)
        else:
            raise Trouble(f"{block.place}: name the file in a first comment, e.g. {FILES[block.language]} ball.toml")

    def compare(self, block, file):
        if block.text not in file.read_text(encoding="utf-8"):
            raise Trouble(f"{block.place}: {file.relative_to(ROOT)} says something else")
        self.ran += 1

    def write(self, block, name, kind):
        path = self.session.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "continued" and not path.exists():
            raise Trouble(f"{block.place}: there is no {name} to continue")
        with path.open("a" if kind == "continued" else "w", encoding="utf-8") as file:
            file.write(("\n" if kind == "continued" else "") + block.text)
        if block.language == "toml" and kind != "to be included":
            printed, code = self.session.run(f"oloid check {name}")
            if bool(code) != (kind == "wrong"):
                raise Trouble(f"{block.place}: oloid check {name}: exit code {code}\n{printed}")
        self.ran += 1

    # "lines for FILE PATH": each line "key = value" is a variant, good in that file at that place.
    def check_lines(self, block):
        file, place = block.note.removeprefix("lines for ").split()
        for line in block.lines:
            assignment = line.split("  #")[0].strip()
            if assignment:
                printed, code = self.session.run(f"oloid check {file} --set {quoted(f'{place}.{assignment}')}")
                if code:
                    raise Trouble(f"{block.place}: {assignment}\n{printed}")
                self.ran += 1

    def run_python(self, block):
        if not self.python and "h5py" in block.text:
            self.missing = True
            self.leave_out(block, "no Python with h5py here")
            return
        program = self.session.path("block.py")
        program.write_text(block.text, encoding="utf-8")
        printed, code = self.session.run("python3 block.py")
        if code:
            raise Trouble(f"{block.place}: exit code {code}\n{printed}")
        self.ran += 1


def quoted(text):
    return "'" + text.replace("'", "'\\''").replace(" = ", "=", 1) + "'"


def commands(block):
    """(line, command, expected output or None). A command goes on after a backslash, and in a console after "> "."""
    found = []
    for number, line in enumerate(block.lines):
        if found and (found[-1][1].endswith("\\") or (line.startswith("> ") and found[-1][2] == "")):
            found[-1][1] += "\n" + line.removeprefix("> ")
        elif block.language == "sh":
            if line.strip() and not line.startswith("#"):
                found.append([number, line, None])
        elif line.startswith("$ "):
            found.append([number, line[2:], ""])
        elif found:
            found[-1][2] += line + "\n"
        else:
            raise Trouble(f"{block.place}: begin with a command, `$ oloid ...`")
    return found


@functools.cache
def python_with_h5py():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import h5py, numpy"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    page = Page(options.page.resolve(), options.build.resolve(), options.work.resolve())
    try:
        page.run()
    except Trouble as trouble:
        sys.exit(str(trouble))
    print(f"{page.ran} blocks and commands are good")
    for line in page.left_out:
        print(f"not run: {line}")
    sys.exit(77 if page.missing else 0)


if __name__ == "__main__":
    main()
