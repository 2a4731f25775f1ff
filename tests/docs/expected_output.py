"""Whether a program printed what a document shows.

Line by line the same, but for
  ...                 any text within a line; alone on a line, any number of lines
  simulated in 0.08 s (253 times real time)    any two numbers
  1.2e-11             numbers below 1e-9 are rounding errors: any number below 1e-9 will do
Blanks at the end of lines and empty lines at the end do not count.
"""

import re

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
PACE = re.compile(rf"simulated in {NUMBER} s \({NUMBER} times real time\)")
TINY = re.compile(r"(?<![\w.])\d(?:\.\d+)?e-(?:09|1\d|2\d)(?!\w)|(?<![\w.])0\.0e\+00(?!\w)")
SPECIAL = re.compile(rf"(?P<gap>\.\.\.)|(?P<pace>{PACE.pattern})|(?P<tiny>{TINY.pattern})")
TINY_PATTERN = r"(?:\d(?:\.\d+)?e-(?:09|[1-9]\d+)|0(?:\.0e\+00)?)"


def line_pattern(line):
    pattern, at = "", 0
    for found in SPECIAL.finditer(line):
        pattern += re.escape(line[at : found.start()])
        if found.group("gap"):
            pattern += ".*"
        elif found.group("pace"):
            pattern += rf"simulated in {NUMBER} s \({NUMBER} times real time\)"
        else:
            pattern += TINY_PATTERN
        at = found.end()
    return pattern + re.escape(line[at:])


def matches(expected, printed):
    """expected, printed: texts of several lines."""
    pattern = ""
    for line in expected.rstrip().splitlines():
        line = line.rstrip()
        pattern += r"(?:.*\n)*?" if line == "..." else line_pattern(line) + r"\n"
    printed = "".join(line.rstrip() + "\n" for line in printed.rstrip().splitlines())
    return re.fullmatch(pattern, printed) is not None
