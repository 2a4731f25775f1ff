"""A shell in which the commands of one page run, one after the other, as a reader would type them."""

import os
import pathlib
import shutil
import subprocess

from fences import ROOT

DONE = "--- the command is done, exit code"


class Session:
    """A fresh folder with what a reader has: scenes/, build/release, and `oloid` on the path."""

    def __init__(self, folder, build, python):
        shutil.rmtree(folder, ignore_errors=True)
        tools, home = folder / "tools", folder / "home"
        self.folder = folder / "oloid"
        (self.folder / "build").mkdir(parents=True)
        tools.mkdir()
        home.mkdir()
        shutil.copytree(ROOT / "scenes", self.folder / "scenes")
        (self.folder / "build" / "release").symlink_to(build)
        (tools / "oloid").symlink_to(build / "bin" / "oloid")
        for name in ("xdg-open", "open", "sensible-browser"):  # nothing pops up while tests run
            (tools / name).write_text('#!/bin/sh\ntest -s "${1#file://}"\n')
            (tools / name).chmod(0o755)
        (tools / "python3").symlink_to(python)
        environment = dict(os.environ, HOME=str(home), PATH=f"{tools}:{os.environ['PATH']}", LC_ALL="C.UTF-8",
                           BROWSER=str(tools / "xdg-open"))
        self.shell = subprocess.Popen(["bash", "--noprofile", "--norc"], cwd=self.folder, env=environment, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        """What the command printed, errors too, and its exit code. `cd` and `export` stay."""
        self.shell.stdin.write(f"{{ {command}\n}} </dev/null\necho \"{DONE} $?\"\n")
        self.shell.stdin.flush()
        printed = ""
        for line in self.shell.stdout:
            text, found, code = line.partition(DONE)
            printed += text
            if found:
                return printed, int(code)
        raise SystemExit(f"the shell ended at: {command}\n{printed}")

    def path(self, name):
        """Of a file in the folder in which the shell is now."""
        here, _ = self.run("pwd")
        return pathlib.Path(here.strip()) / name

    def close(self):
        self.shell.stdin.close()
        self.shell.wait()
