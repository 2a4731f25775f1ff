"""Runs tests against mutants: first all without any, to learn what they reach and how long they take."""

import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

# Random tests with the same few cases each time.
ENVIRONMENT = {"GTEST_FAIL_FAST": "1", "GTEST_COLOR": "no", "RC_PARAMS": "seed=1 max_success=25"}
QUICK = (0.3, 3, 30)  # [s]: tests are run in classes of these durations, the quickest first
GROUPS = ("laws", "analytic", "golden", "convergence", "accuracy", "cli")  # after the rooms


@dataclasses.dataclass
class Test:
    name: str  # group.Suite.Test
    command: list
    environment: dict
    limit: float  # [s]
    seconds: float = 0  # without a mutant
    reached: frozenset = frozenset()  # numbers of mutants

    @property
    def group(self):
        return self.name.split(".")[0]

    @property
    def filter(self):
        """Its name inside a gtest program, else empty."""
        return next((word.removeprefix("--gtest_filter=") for word in self.command if word.startswith("--gtest_filter=")), "")


def tests_of(build):
    """All tests that ctest knows but those of documents and style."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE).stdout
    tests = []
    for entry in json.loads(listed)["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        labels = set(properties.get("LABELS", []))
        if "command" not in entry or labels & {"docs", "style"} or properties.get("DISABLED"):
            continue
        environment = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        tests.append(Test(entry["name"], entry["command"], environment, properties.get("TIMEOUT", 300)))
    return [test for test in tests if os.access(test.command[0], os.X_OK) or shutil.which(test.command[0])]


@dataclasses.dataclass
class Outcome:
    code: int = None  # None: out of time
    output: str = ""
    seconds: float = 0


def limit_resources():
    """A mutant may ask for any amount of memory, or write without end. Programs started from now on inherit the limits."""
    for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, 8 << 30), (resource.RLIMIT_FSIZE, 4 << 30)):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def run(command, environment, folder, limit):
    """Runs a command in a folder that is made for it and removed."""
    folder.mkdir(parents=True)
    log = folder.with_suffix(".log")
    where = {"TMPDIR": str(folder), "TEST_TMPDIR": str(folder)}
    started = time.monotonic()
    with open(log, "wb") as out:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **ENVIRONMENT, **where, **environment}, stdout=out,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with what it has started
            process.wait()
            code = None
    with open(log, "rb") as file:
        file.seek(max(0, log.stat().st_size - 200_000))
        output = file.read().decode(errors="replace")
    shutil.rmtree(folder, ignore_errors=True)
    log.unlink()
    return Outcome(code, output, time.monotonic() - started)


class Trials:
    def __init__(self, work, jobs, order):
        """order: of each room, the rooms whose tests may find its mutants, nearest first."""
        self.work, self.jobs, self.order = work, jobs, order
        self.counter = itertools.count()
        self.tests = []
        shutil.rmtree(work, ignore_errors=True)
        limit_resources()

    def fresh_folder(self):
        return self.work / str(next(self.counter))

    def learn(self, tests, say):
        """Runs each test without a mutant; those that fail are left out."""
        def one(test):
            folder = self.fresh_folder()
            reached = pathlib.Path(f"{folder}.reached")
            outcome = run(test.command, {**test.environment, "OLOID_MUTANT_REACHED": str(reached)}, folder, test.limit)
            test.seconds = outcome.seconds
            if reached.is_file():
                test.reached = frozenset(map(int, reached.read_text().split()))
                reached.unlink()
            return outcome
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for test, outcome in zip(tests, pool.map(one, tests)):
                if outcome.code == 0:
                    self.tests.append(test)
                elif outcome.code != 77:  # 77: skipped
                    say(f"left out, fails without a mutant: {test.name}")

    def batches(self, number, mutant):
        """Tests that reach a mutant: those of one program together, own room and quick ones first."""
        rooms = self.order.get(mutant.room, [mutant.room])
        order = {group: i for i, group in enumerate((*rooms, *GROUPS))}

        def key(test):
            duration = sum(test.seconds > limit for limit in QUICK)
            program = test.command[0] if test.filter else test.name
            return duration - (test.group == mutant.room), order.get(test.group, len(order)), program

        tests = sorted((test for test in self.tests if number in test.reached), key=key)
        return [list(batch) for _, batch in itertools.groupby(tests, key)]

    def judge(self, number, mutant, patience):
        """Says by which test a mutant is caught: (verdict, detail)."""
        batches = self.batches(number, mutant)
        every = sum(map(len, batches))
        if not every:
            return "never reached", ""
        done, spent = 0, 0
        for batch in batches:
            batch = fitting(batch, patience - spent)
            if not batch:
                continue
            first, expected = batch[0], sum(test.seconds for test in batch)
            command = first.command
            if first.filter:
                command = [first.command[0], "--gtest_filter=" + ":".join(test.filter for test in batch)]
            outcome = run(command, {**first.environment, "OLOID_MUTANT": str(number)}, self.fresh_folder(), 15 + 5 * expected)
            spent += outcome.seconds
            if outcome.code not in (0, 77):
                return "caught", culprit(first, outcome)
            done += len(batch)
        return "survived", f"{done} of {every} tests that reach it"


def fitting(tests, seconds):
    """The quickest, as many as take no longer than this together."""
    tests = sorted(tests, key=lambda test: test.seconds)
    times = itertools.accumulate(test.seconds for test in tests)
    return [test for test, time_to_end in zip(tests, times) if time_to_end <= seconds]


def culprit(test, outcome):
    """Name of the test that failed, and how if not by a failed expectation."""
    ran = re.findall(r"^\[ RUN      \] (\S+)", outcome.output, re.M)
    failed = re.findall(r"^\[  FAILED  \] (\S+?),? ", outcome.output, re.M)
    name = test.name
    if test.filter:
        inside = failed[0] if failed and outcome.code == 1 else ran[-1] if ran else test.filter
        name = f"{test.group}.{inside}"
    if outcome.code is None:
        return f"{name} (out of time)"
    return name if outcome.code > 0 else f"{name} ({signal.Signals(-outcome.code).name})"
