"""scripts/mutate plants what it says, only where it may, and only what is switched on changes anything."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))

from mutation.mutants import in_random_order, mutants_of, number_at, overlap, planted
from mutation.report import report
from mutation.tree import HEADER, dependents

SAMPLE = pathlib.Path(__file__).with_name("sample.cpp")
UNCHANGED = "4.5 7 0 1 2 10 3.0625 -1"  # what it prints

# A kind, the text of the changed place, and what the sample then prints.
EXPECTED = [
    ("sign", "Vector(half) + Vector(negative)", "-1.5 7 0 1 2 10 3.0625 -1"),
    ("sign", "a", "-1.5 7 0 1 2 10 3.0625 -1"),
    ("constant", "1.0 * a", "6 7 0 1 2 10 3.0625 -1"),
    ("factor", "0.5", "3.5 7 0 1 2 10 3.0625 -1"),
    ("sign", "v = a - b;", "4.5 3 0 1 2 10 3.0625 -1"),
    ("term", "v = a;", "4.5 5 0 1 2 10 3.0625 -1"),
    ("comparison", "n >= 0", "4.5 7 6 6 6 10 3.0625 -1"),
    ("guard", "(n < 0) || true", "4.5 7 6 6 6 10 3.0625 -1"),
    ("guard", "(n > 2 && n != 5) && false", "4.5 7 0 0 2 10 3.0625 -1"),
    ("logic", "n > 2 || n != 5", "4.5 7 1 1 1 10 3.0625 -1"),
    ("limit", "i <= n", "4.5 7 0 1 2 15 3.0625 -1"),
    ("sign", "sum -= i;", "4.5 7 0 1 2 -10 3.0625 -1"),
    ("sign", "x + y / 4", "4.5 7 0 1 2 10 5.0625 -1"),
    ("factor", "x - y", "4.5 7 0 1 2 10 1 -1"),
    ("constant", "x - y / 5", "4.5 7 0 1 2 10 3.24 -1"),
    ("factor", "return z;", "4.5 7 0 1 2 10 1.75 -1"),
    ("sign", "return 1;", "4.5 7 0 1 2 10 3.0625 1"),
]


def check(condition, what):
    if not condition:
        sys.exit(f"mutation_test: {what}")


def without_overlap(mutants):
    """Rounds of mutants of which each can be planted together."""
    rounds = []
    for mutant in mutants:
        for together in rounds:
            if not any(overlap(mutant, other) for other in together):
                together.append(mutant)
                break
        else:
            rounds.append([mutant])
    return rounds


def build(source, mutants, folder):
    text = planted(source, list(enumerate(mutants, 1)), HEADER)
    check(text.count("\n") == source.count("\n") + 2, "lines move")
    for number, mutant in enumerate(mutants, 1):  # a compiler that complains here means this one
        at = text.index(mutant.mutated, text.index(f"on({number})"))
        line, column = text.count("\n", 0, at) - 1, at - text.rfind("\n", 0, at)
        check(number_at(text, line, column) == number, f"not mutant {number} at {line}:{column}")
    (folder / "planted.cpp").write_text(text)
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, "-std=c++20", "-w", folder / "planted.cpp", "-o", folder / "planted"], check=True)


def run(folder, number, **environment):
    return subprocess.run([folder / "planted"], env={**os.environ, "OLOID_MUTANT": str(number), **environment}, check=True,
                          text=True, stdout=subprocess.PIPE).stdout.strip()


def check_runs(source, mutants, folder):
    wanted = {}
    for kind, text, printed in EXPECTED:
        found = [mutant for mutant in mutants if (mutant.kind, mutant.mutated) == (kind, text)]
        check(len(found) == 1, f"{len(found)} mutants of kind {kind} that read: {text}")
        wanted[found[0].id] = printed
    for together in without_overlap([mutant for mutant in mutants if mutant.id in wanted]):
        build(source, together, folder)
        check(run(folder, 0) == UNCHANGED, "a mutant that is switched off acts")
        for number, mutant in enumerate(together, 1):
            printed = run(folder, number)
            check(printed == wanted[mutant.id], f"{mutant.mutated}: printed {printed}, not {wanted[mutant.id]}")
        run(folder, 0, OLOID_MUTANT_REACHED=str(folder / "reached"))
        reached = set(map(int, (folder / "reached").read_text().split()))
        check(reached == set(range(1, len(together) + 1)), f"reached {reached} of {len(together)}")
        (folder / "reached").unlink()


source = SAMPLE.read_text()
mutants = mutants_of(pathlib.Path("src/oloid/sample/sample.cpp"), source)
for mutant in mutants:
    check(not source.splitlines()[mutant.line - 1].endswith("none"), f"line {mutant.line} has a mutant: {mutant.mutated}")
with tempfile.TemporaryDirectory() as folder:
    check_runs(source, mutants, pathlib.Path(folder))

# The same mutants for the same seed, whatever is added in other files.
first = in_random_order(mutants, 1)
check(first == in_random_order(mutants[::-1], 1) != in_random_order(mutants, 2), "the order is not that of the seed")

order = dependents(ROOT)
check(order["base"][0] == "base" and "world" in order["base"] and order["world"] == ["world"], f"rooms in order: {order}")

text = report("Report", [(first[0], "survived", ""), (first[1], "caught", "sample.A.B"), (first[2], "caught", "sample.A.C")])
check("| all | 3 | 2 | 1 | 0 | 0 | 67 % |" in text and f"- {first[0].original}\n+ {first[0].mutated}\n" in text, text)
print(f"{len(mutants)} mutants of the sample, {len(EXPECTED)} of them run")
