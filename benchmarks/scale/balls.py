#!/usr/bin/env python3
"""What many balls cost: balls.py PROGRAM PAGE PLOT

Balls bounce on a table, a metre apart or so dense that they meet. For each number of them the program is run once without and once
with a record. Processor time and memory are those that the system reports for it. Writes a page with a table, and a plot.
"""
import math
import os
import pathlib
import random
import sys
import tempfile

COUNTS = (10, 100, 1000, 3000)
KINDS = {"apart": (1.0, 1.0), "dense": (0.14, 0.5)}  # spacing [m], duration [s]
RADIUS = 0.05


def scene(kind, count):
    rng = random.Random(1)
    spacing, duration = KINDS[kind]
    side = math.ceil(math.sqrt(count))
    fast = 0.1 if kind == "apart" else 0.5
    text = [f'oloid = 1\nduration = {duration}\n[output]\ndt = 0.1\n[[material]]\nname = "m"\nfriction = 0.3\nrestitution = 0.8\n'
            '[[body]]\nname = "table"\nfixed = true\nmaterial = "m"\nshape.type = "plane"\n']
    for i in range(count):
        position = [(i % side - side / 2) * spacing, (i // side - side / 2) * spacing, rng.uniform(0.3, 0.5)]
        velocity = [rng.uniform(-fast, fast), rng.uniform(-fast, fast), 0]
        spin = [rng.uniform(-5, 5) for _ in range(3)]
        text.append(f'[[body]]\nname = "b{i}"\ndensity = 1000\nmaterial = "m"\nposition = {position}\nvelocity = {velocity}\n'
                    f'angular_velocity = {spin}\nshape = {{ type = "sphere", radius = {RADIUS} }}\n')
    return "".join(text)


def run(program, *arguments):
    """Processor seconds and the largest memory [MB] of one run."""
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        os.execv(program, [program, *arguments])
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 4):
        sys.exit(f"balls: {' '.join(arguments)} ended with status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(program, kind, count, folder):
    path, record = folder / "balls.toml", folder / "balls.h5"
    path.write_text(scene(kind, count))
    check, _ = run(program, "check", str(path))
    seconds, memory = run(program, "run", str(path), "--threads", "1")
    run(program, "run", str(path), "--threads", "1", "-o", str(record))
    size = record.stat().st_size
    record.unlink()
    return {"kind": kind, "count": count, "check": check, "seconds": seconds / KINDS[kind][1], "memory": memory, "record": size}


def plot(rows):
    """Processor time for a ball and a simulated second, over the number of balls; both axes logarithmic."""
    width, height, left, top = 480, 300, 60, 20
    low, high = 1e-5, 1e-1
    def x(count):
        return left + (width - left - 20) * (math.log10(count) - 1) / 2.7
    def y(value):
        return top + (height - top - 50) * (math.log10(high) - math.log10(value)) / math.log10(high / low)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(-5, 0):
        at = y(10**power)
        out.append(f'<path d="M{left} {at:.1f}H{width - 20}" stroke="#ddd"/><text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">10'
                   f'<tspan dy="-5" font-size="9">{power}</tspan></text>')
    for count in COUNTS:
        out.append(f'<path d="M{x(count):.1f} {top}V{height - 50}" stroke="#eee"/>'
                   f'<text x="{x(count):.1f}" y="{height - 32}" text-anchor="middle">{count}</text>')
    for kind, colour in (("apart", "#1f77b4"), ("dense", "#d62728")):
        points = [(x(r["count"]), y(r["seconds"] / r["count"])) for r in rows if r["kind"] == kind]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
        out.append(f'<text x="{points[0][0] + 6:.1f}" y="{points[0][1] - 8:.1f}" fill="{colour}">{kind}</text>')
    out.append(f'<text x="{(width + left) / 2}" y="{height - 10}" text-anchor="middle">balls</text>')
    out.append(f'<text transform="translate(14 {height / 2 - 15}) rotate(-90)" text-anchor="middle">s of CPU per ball and second</text></svg>')
    return "\n".join(out) + "\n"


PAGE = """# Many bodies

Balls of radius {radius} m bounce on a table with friction 0.3 and restitution 0.8: *apart*, a metre from each other, for a second; *dense*,
0.14 m from each other with sideways velocities, so that they meet, for half a second. One thread, processor time and memory of the
whole program, with reading and compiling the scene. This page is written by

    benchmarks/scale/balls.py build/release/bin/oloid docs/experiments/many_bodies.md docs/images/many_bodies.svg

![Processor time per ball over the number of balls](../images/many_bodies.svg)

| scene | balls | check [s] | CPU per simulated second [s] | per ball [ms] | memory [MB] | record [kB per ball] |
|---|--:|--:|--:|--:|--:|--:|
{rows}

In dense scenes balls that come to touch each other and the table at once form loops of contacts, which are not simulated yet: their
islands end, and whatever touches them ends, too.
"""


def main():
    program, page, picture = sys.argv[1:4]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for count in COUNTS:
                rows.append(measure(os.path.abspath(program), kind, count, pathlib.Path(folder)))
                print(rows[-1], flush=True)
    lines = [f"| {r['kind']} | {r['count']} | {r['check']:.2f} | {r['seconds']:.3g} | {1e3 * r['seconds'] / r['count']:.2f} | "
             f"{r['memory']:.0f} | {r['record'] / r['count'] / 1e3:.1f} |" for r in rows]
    pathlib.Path(page).write_text(PAGE.format(radius=RADIUS, rows="\n".join(lines)))
    pathlib.Path(picture).write_text(plot(rows))


if __name__ == "__main__":
    main()
