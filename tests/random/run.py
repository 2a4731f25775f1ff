#!/usr/bin/env python3
"""Runs random scenes and judges them.

  run.py --program oloid --seeds 0:200            judge these seeds; exit code 1 if a scene is wrong and not in known.toml
  run.py --program oloid --write 17 FOLDER        write the scene of seed 17 and its copies, to look at or to run by hand
  run.py --program oloid --seeds 0:10000 --page docs/experiments/random_scenes.md
  run.py --program oloid --seeds 0:200 --list     write known.toml anew: after mending something, never to hide something new
"""

import argparse
import collections
import dataclasses
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
import tomllib

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

sys.dont_write_bytecode = True
import judge
import scenes

HERE = os.path.dirname(os.path.abspath(__file__))
COPIES = ("turned", "mirrored", "permuted")
SAME = 1e-7  # copies agree to this, relative to sizes and speeds, until chaos has had its time
CPU_LIMIT = 40  # s of processor time after which a run counts as one that does not end


@dataclasses.dataclass
class Verdict:
    seed: int
    category: str
    result: str  # "end", "reason", "trouble", "refused", "wrong"
    complaints: list
    detail: str
    seconds: float


def execute(program, scene, folder):
    """Runs a scene: (exit code, what it printed as errors, record or None, processor seconds)."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "scene.toml")
    record, summary = os.path.join(folder, "run.h5"), os.path.join(folder, "run.json")
    with open(path, "w") as f:
        f.write(scene.toml())
    for name, content in scene.files().items():
        with open(os.path.join(folder, name), "w") as f:
            f.write(content)
    for old in (record, summary):
        if os.path.exists(old):
            os.remove(old)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(["prlimit", f"--cpu={CPU_LIMIT}", program, "run", path, "-o", record, "--json", summary, "--threads", "1"],
                            capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    data = None
    if result.returncode in (0, 4):
        try:
            data = judge.Record(record, summary)
        except (OSError, KeyError, ValueError) as error:
            return -1000, f"the record cannot be read: {error}", None, seconds
    return result.returncode, result.stderr, data, seconds


def copied(scene, kind):
    """The copy, and the matrix that turns its vectors back."""
    if kind == "turned":
        angle = 0.3 + 2.4 * (scene.seed % 13) / 13
        return scene.turned(angle), scenes.matrix(scenes.about([0, 0, 1], -angle))
    if kind == "mirrored":
        return scene.mirrored(), scenes.MIRROR
    return scene.permuted(), np.eye(3)


def compare_copy(program, scene, base, kind, folder):
    """Complaints about a copy, and the processor time spent."""
    other, back = copied(scene, kind)
    code, errors, record, seconds = execute(program, other, folder)
    if record is None:
        return [("copy", f"the {kind} scene ends with exit code {code} {errors.strip()[:200]}")], seconds
    times, deviation = judge.compare(scene, base, record, back, kind == "mirrored")
    if not np.any(deviation > SAME):
        return [], seconds
    # How far is the motion determined? The same scene, integrated a hundred times less accurately.
    code, errors, rough, more = execute(program, dataclasses.replace(scene, rtol=1e-9), folder)
    seconds += more
    spread = np.zeros(len(times))
    if rough is not None:
        other_times, other_spread = judge.compare(scene, base, rough, np.eye(3), False)
        spread = np.array([other_spread[k] if k < len(other_spread) and other_times[k] == t else np.inf
                           for t in times for k in [int(np.searchsorted(other_times, t))]])
    beyond = (deviation > SAME + 1e3 * spread) & (spread < 1e-4)
    if not np.any(beyond):
        return [], seconds
    first = int(np.argmax(beyond))
    return [("copy", f"the {kind} scene differs by {deviation[first]:.3g} at t = {times[first]:.9g}")], seconds


def verdict(arguments):
    seed, program, copies = arguments
    started = time.process_time()
    scene = scenes.scene(seed)
    with tempfile.TemporaryDirectory() as folder:
        code, errors, record, seconds = execute(program, scene, folder)
        complaints, detail = [], ""
        if record is None:
            result = "wrong"
            if code == 1:
                complaints = [("refused", errors.strip()[:300])]
            elif code in (-24, -9):
                complaints = [("hang", f"no end after {CPU_LIMIT} s of processor time")]
            else:
                complaints = [("crash", f"exit code {code}: {errors.strip()[:300]}")]
        else:
            judged = judge.Judge(scene, record, code)
            with np.errstate(all="ignore"):
                complaints = judged.complaints()
            turn = seed // len(scenes.CATEGORIES)
            if copies and not complaints and turn % 3 == 0 and seconds < 2:  # of every third scene of a category, if it is quick
                found, more = compare_copy(program, scene, record, COPIES[turn // 3 % 3], folder)
                complaints += found
                seconds += more
            early = judged.early_ends()
            ends = [judge.text(e["kind"]) for e in early]
            result = "wrong" if complaints else "end" if code == 0 else "trouble" if set(ends) & set(judge.TROUBLE) else "reason"
            trouble = [e for e in early if judge.text(e["kind"]) in judge.TROUBLE] or early
            detail = f"{judge.text(trouble[0]['kind'])}: {judge.text(trouble[0]['note'])}" if trouble else ""
    return Verdict(seed, scene.category, result, complaints, detail, seconds + time.process_time() - started)


def write(program, seed, folder):
    scene = scenes.scene(seed)
    for kind in ("scene",) + COPIES:
        made = scene if kind == "scene" else copied(scene, kind)[0]
        place = os.path.join(folder, kind)
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "scene.toml"), "w") as f:
            f.write(made.toml())
        for name, content in made.files().items():
            with open(os.path.join(place, name), "w") as f:
                f.write(content)
    print(f"seed {seed}, {scene.category}: {folder}/scene/scene.toml")


def table(verdicts):
    lines = ["| category | scenes | to the end | ended, reason true | solver trouble | wrong |", "|---|--:|--:|--:|--:|--:|"]
    for category in scenes.CATEGORIES + ("all",):
        chosen = [v for v in verdicts if category in (v.category, "all")]
        if chosen:
            share = collections.Counter(v.result for v in chosen)
            lines.append(f"| {category} | {len(chosen)} | " +
                         " | ".join(f"{100 * share[r] / len(chosen):.1f} %" for r in ("end", "reason", "trouble", "wrong")) + " |")
    return "\n".join(lines)


PAGE = """# Random scenes

{count} random valid scenes were run by oloid and judged by a separate program that shares no formula with it:
[tests/random](../../tests/random/README.md). This page is generated by

    tests/random/run.py --program build/release/bin/oloid --seeds {seeds} --page docs/experiments/random_scenes.md

*To the end*: the run covered its whole duration, and the judge found nothing wrong. *Ended, reason true*: bodies met in a way that
is not simulated, the program said so with exit code 4, and the judge confirmed it. *Solver trouble*: the program gave up, with
exit code 4. *Wrong*: the judge found a body inside another, a violation of energy, momentum or a symmetry, a reason that is not
true, a crash, or no end within {limit} s of processor time.

{table}

## What is wrong

{wrong}

## Solver trouble

{trouble}
"""


def page(path, verdicts, seeds):
    def kinds(chosen, key):
        groups = collections.defaultdict(list)
        for v in chosen:
            groups[key(v)].append(v)
        lines = ["| category | what | scenes | seeds |", "|---|---|--:|---|"]
        for (category, what), group in sorted(groups.items(), key=lambda x: -len(x[1])):
            lines.append(f"| {category} | {what} | {len(group)} | {', '.join(str(v.seed) for v in group[:8])} |")
        return "\n".join(lines) if groups else "Nothing."
    wrong = kinds([v for v in verdicts if v.result == "wrong"], lambda v: (v.category, v.complaints[0][0]))
    trouble = kinds([v for v in verdicts if v.result == "trouble"], lambda v: (v.category, v.detail))
    with open(path, "w") as f:
        f.write(PAGE.format(count=len(verdicts), seeds=seeds, table=table(verdicts), wrong=wrong, trouble=trouble, limit=CPU_LIMIT))


LIST = """# Random scenes that are wrong today: the test reports them, and fails when one of them has become right, so that this list only shrinks.
# Written by run.py --seeds FIRST:END --list; `what` is the judge's first complaint.
"""


def write_list(path, verdicts, known):
    """What was judged now replaces what is listed of the same seeds."""
    judged = {v.seed for v in verdicts}
    entries = [k for k in known.values() if k["seed"] not in judged]
    entries += [{"seed": v.seed, "category": v.category, "what": ": ".join(v.complaints[0])} for v in verdicts if v.result == "wrong"]
    with open(path, "w") as f:
        f.write(LIST)
        for k in sorted(entries, key=lambda k: k["seed"]):
            f.write(f'\n[[wrong]]\nseed = {k["seed"]}\ncategory = "{k["category"]}"\nwhat = {json.dumps(k["what"])}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("OLOID", "oloid"))
    parser.add_argument("--seeds", default="0:200", help="FIRST:END, or a single seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-copies", action="store_true", help="do not run turned, mirrored and permuted copies")
    parser.add_argument("--page", help="write shares by category and what is wrong to this file")
    parser.add_argument("--known", default=os.path.join(HERE, "known.toml"))
    parser.add_argument("--list", action="store_true", help="write what is wrong to the list of known defects")
    parser.add_argument("--write", nargs=2, metavar=("SEED", "FOLDER"))
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.write:
        write(options.program, int(options.write[0]), options.write[1])
        return 0
    first, _, end = options.seeds.partition(":")
    seeds = range(int(first), int(end) if end else int(first) + 1)
    with open(options.known, "rb") as f:
        known = {k["seed"]: k for k in tomllib.load(f).get("wrong", [])}
    work = [(seed, options.program, not options.no_copies) for seed in seeds]
    verdicts, failed = [], 0
    pool = multiprocessing.Pool(options.jobs) if options.jobs > 1 else None
    for v in pool.imap(verdict, work) if pool else map(verdict, work):
        verdicts.append(v)
        if v.result == "wrong":
            listed = v.seed in known
            failed += not listed
            print(f"{'known' if listed else 'WRONG'}: seed {v.seed}, {v.category}: " + "; ".join(f"{kind}: {what}" for kind, what in v.complaints), flush=True)
        elif v.seed in known:
            failed += 1
            print(f"RIGHT: seed {v.seed}, {v.category}, is listed in known.toml and right now: remove it there", flush=True)
        elif options.verbose:
            print(f"seed {v.seed}, {v.category}: {v.result} {v.detail} {v.seconds:.2f} s", flush=True)
    print(table(verdicts))
    slow = sorted(verdicts, key=lambda v: -v.seconds)[:5]
    print(f"{sum(v.seconds for v in verdicts):.1f} s of processor time; slowest: " + ", ".join(f"seed {v.seed} {v.seconds:.1f} s" for v in slow))
    if options.page:
        page(options.page, verdicts, options.seeds)
    if options.list:
        write_list(options.known, verdicts, known)
        return 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
