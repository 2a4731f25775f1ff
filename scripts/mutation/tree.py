"""A copy of the source tree with mutants in it, and its build."""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess

from mutation.mutants import number_at, overlap, planted

HEADER = pathlib.Path(__file__).with_name("mutant.h")
CAPACITY = int(re.search(r"kCapacity = (\d+)", HEADER.read_text()).group(1))


def write_if_other(path, content):
    """Keeps the time of a file that does not change, so that nothing is compiled in vain."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


class Tree:
    def __init__(self, root, folder, jobs):
        self.root, self.path, self.build_path, self.jobs = root, folder / "tree", folder / "build", jobs
        self.log = folder / "build.log"
        self.refused_path = folder / "does_not_compile.txt"  # names of mutants, kept for later calls
        self.refused = set(self.refused_path.read_text().split()) if self.refused_path.is_file() else set()
        self.mutants = []  # by number, from 1
        self.flags = None  # for the compiler, to look at a single file

    def copy(self):
        """Copies what git knows or would add; files that are gone are removed. Sources that are there are left to plant()."""
        listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=self.root, check=True,
                                stdout=subprocess.PIPE).stdout
        files = {pathlib.Path(os.fsdecode(name)) for name in listed.split(b"\0") if name}
        files = {file for file in files if (self.root / file).is_file()}
        self.sources = sorted(file for file in files if file.parts[:2] == ("src", "oloid") and file.suffix in (".h", ".cpp"))
        planted_before = {file for file in self.sources if (self.path / file).is_file()}
        for file in files.difference(planted_before):
            write_if_other(self.path / file, (self.root / file).read_bytes())
            os.chmod(self.path / file, (self.root / file).stat().st_mode)
        for path in self.path.rglob("*"):
            if path.is_file() and path.relative_to(self.path) not in files:
                path.unlink()

    def plant(self, mutants):
        """Writes all sources with these mutants. None in the list: its number is not in use."""
        self.mutants = mutants
        by_file = collections.defaultdict(list)
        for number, mutant in enumerate(mutants, 1):
            if mutant:
                by_file[mutant.file].append((number, mutant))
        for file in self.sources:
            content = (self.root / file).read_bytes()
            if file in by_file:
                content = planted(content.decode(), by_file[file], HEADER).encode()
            write_if_other(self.path / file, content)

    def choose(self, candidates, count, say):
        """Plants the first so many of the candidates that do not overlap. Headers are compiled alone first, because an error
        in one would stop most of the build; errors in sources are left to the build."""
        mutants, candidates, checked = [], iter(candidates), set()
        while True:
            while len(mutants) < count and (candidate := next(candidates, None)):
                if candidate.id not in self.refused and not any(overlap(candidate, mutant) for mutant in mutants):
                    mutants.append(candidate)
            self.plant(mutants)
            files = sorted({mutant.file for mutant in mutants if mutant.id not in checked and mutant.file.suffix == ".h"})
            if not files:
                return
            say(f"checking {len(files)} headers")
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                found = list(pool.map(self.errors_of, files))
            for file, errors in zip(files, found):
                if errors:
                    self.refuse(self.blamed(errors, file), say)
            # Files with errors are looked at again: one error may hide another.
            bad_files = {mutant.file for mutant in mutants if mutant.id in self.refused}
            mutants = [mutant for mutant in mutants if mutant.id not in self.refused]
            checked = {mutant.id for mutant in mutants if mutant.file not in bad_files}

    def refuse(self, mutants, say):
        for mutant in mutants:
            say(f"left out, does not compile: {mutant.id} {mutant.file}:{mutant.line} {mutant.kind}")
            self.refused.add(mutant.id)
        self.refused_path.write_text("".join(f"{name}\n" for name in sorted(self.refused)))

    def blamed(self, errors, file=None):
        """The mutants at which a compiler complains: where the errors are, else where any line of the message points."""
        by_path = collections.defaultdict(dict)
        for number, mutant in enumerate(self.mutants, 1):
            if mutant:
                by_path[str(self.path / mutant.file)][number] = mutant
        for pattern in (r"(\S+?):(\d+):(\d+): (?:fatal )?error:", r"(\S+?):(\d+):(\d+)[:,]"):
            found = {}
            for name, line, column in re.findall(pattern, errors):
                path = os.path.normpath(self.build_path / name)
                number = number_at(pathlib.Path(path).read_text(), int(line), int(column)) if path in by_path else None
                mutant = by_path[path].get(number)
                if mutant and mutant.first_line <= int(line) <= mutant.last_line:
                    found[number] = mutant
            if found:
                return list(found.values())
        return [mutant for mutant in self.mutants if mutant and mutant.file == file]

    def errors_of(self, file):
        """What the compiler says of a mutated header: of a file that makes its templates."""
        run = subprocess.run([*self.flags, "-fsyntax-only", "-x", "c++", str(self.path / self.user_of(file))], cwd=self.build_path,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return run.stdout if run.returncode else ""

    def user_of(self, header):
        """The test of a header, else a file that includes it, else itself."""
        for test in sorted(self.path.glob(f"tests/**/{header.stem}_test.cpp")):
            if f"/{header.stem}.h" in test.read_text():
                return test.relative_to(self.path)
        line = f'#include "{header.relative_to("src")}"'
        for folder in ("tests", "src"):
            for path in sorted((self.path / folder).rglob("*.cpp")):
                if line in path.read_text():
                    return path.relative_to(self.path)
        return header

    def configure(self):
        """Like preset dev, without what only slows down: debug information, examples."""
        cache = self.build_path / "CMakeCache.txt"
        fresh = [] if cache.is_file() and f"CMAKE_HOME_DIRECTORY:INTERNAL={self.path}\n" in cache.read_text() else ["--fresh"]
        self.run(["cmake", "--preset", "dev", "-B", self.build_path, *fresh, "-Wno-dev", "-DCMAKE_CXX_FLAGS=-w",
                  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2", "-DOLOID_BUILD_EXAMPLES=OFF"], self.path)
        entries = json.loads((self.build_path / "compile_commands.json").read_text())
        words = [shlex.split(entry["command"]) for entry in entries]
        compiler = next(word for word in words[0] if re.search(r"(c|g|clang)\+\+[-\d.]*$", word))  # not its launcher
        options = {}
        for line in words:
            for i, word in enumerate(line):
                if word == "-isystem":
                    options[f"-isystem{line[i + 1]}"] = None
                elif re.match(r"-(I|D|std=|ffp-contract|isystem.)", word):
                    options[word] = None
        self.flags = [compiler, "-w", *options]

    def targets(self):
        listed = subprocess.run(["ninja", "-C", self.build_path, "-t", "targets", "all"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        return re.findall(r"^(test_\w+|oloid-app): phony", listed, re.M)

    def test_groups(self):
        """Test programs and what is tested with the program itself."""
        return ["cli" if target == "oloid-app" else target.removeprefix("test_") for target in self.targets()]

    def build(self, groups, say):
        """Builds the tests. Mutants that still do not compile are taken out again."""
        targets = ["oloid-app" if group == "cli" else f"test_{group}" for group in groups]
        if unknown := set(targets).difference(self.targets()):
            raise SystemExit(f"mutate: no target {', '.join(sorted(unknown))}; groups of tests: {', '.join(self.test_groups())}")
        command = ["cmake", "--build", self.build_path, "-j", self.jobs, "--target", *targets, "--", "-k", "0"]
        while True:
            done = self.run(command, self.build_path, check=False)
            if done.returncode == 0:
                return
            bad = self.blamed(done.stdout)
            if not bad:
                raise SystemExit(f"mutate: the build failed, see {self.log}\n{done.stdout[-3000:]}")
            self.refuse(bad, say)
            self.plant([None if mutant in bad else mutant for mutant in self.mutants])

    def run(self, command, folder, check=True):
        done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
        self.log.write_text(done.stdout)
        if check and done.returncode:
            raise SystemExit(f"mutate: {command[0]} failed, see {self.log}\n{done.stdout[-3000:]}")
        return done


def dependents(root):
    """Each room with those that may use it, itself first, nearest first: from the oloid_room() lines."""
    text = (root / "src/CMakeLists.txt").read_text()
    needs = {room: set(words.split()) for room, words in re.findall(r"^oloid_room\((\w+)(?: DEPENDS)?([\w ]*)\)", text, re.M)}
    out = {}
    for room in needs:
        order = [room]
        for near in order:
            order += [other for other in needs if near in needs[other] and other not in order]
        out[room] = order
    return out
