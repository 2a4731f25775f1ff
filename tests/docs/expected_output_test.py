"""The rules by which what a page shows is compared."""

from expected_output import matches

RUN = "ball: 2 s simulated in 0.02 s (85 times real time)\n  t = 0.29  end\nenergy 1 J, drift 3.65e-15\n"

assert matches(RUN, RUN + "\n")
assert matches(RUN, RUN.replace("0.02 s (85", "1e-05 s (2e+05").replace("3.65e-15", "1.2e-11"))
assert matches(RUN.replace("3.65e-15", "0.0e+00"), RUN)
assert not matches(RUN, RUN.replace("3.65e-15", "1.2e-05"))
assert not matches(RUN, RUN.replace("0.29", "0.30"))
assert not matches(RUN, RUN + "and more\n")
assert not matches(RUN, "")
assert matches("a\n...\nz\n", "a\nz\n") and matches("a\n...\nz\n", "a\nb\nc\nz\n")
assert not matches("a\n...\nz\n", "a\nb\n")
assert matches("0.24... m\n", "0.2458 m\n") and not matches("0.24... m\n", "0.2358 m\n")
assert not matches("(a|b).c", "axc\n")
print("the rules hold")
