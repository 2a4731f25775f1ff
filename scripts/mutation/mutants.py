"""What can be changed at a place, and which of all changes are chosen."""

import collections
import dataclasses
import hashlib
import math
import pathlib
import re

from mutation.places import Place, places_of
from mutation.tokens import is_binary, text_of, tokens_of

# How often a kind is chosen. Moved limits (< to <=) weigh less: on real numbers they often change nothing.
WEIGHTS = {"sign": 3, "term": 2, "factor": 2, "comparison": 2, "limit": 1, "guard": 3, "logic": 2, "constant": 2}

SIGN = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
COMPARISON = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
LIMIT = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
LOGIC = {"&&": "||", "||": "&&"}
ADDITIVE, MULTIPLICATIVE = {"+", "-"}, {"*", "/", "%"}


@dataclasses.dataclass
class Mutant:
    file: pathlib.Path  # relative to the root of the tree
    line: int
    kind: str
    place: Place
    original: str  # the text of the place, on one line
    mutated: str
    start: int  # of the place in the source
    end: int
    first_line: int
    last_line: int
    id: str = ""

    @property
    def room(self):
        return self.file.parts[2]  # src/oloid/<room>/...


def mutants_of(file, source):
    """All mutants of a source file."""
    tokens = tokens_of(source)
    out = []
    for place in places_of(tokens):
        first, last = tokens[place.first], tokens[place.end - 1]
        original = text_of(tokens, place.first, place.end)
        for kind, at, mutated in changes(tokens, place):
            out.append(Mutant(file, tokens[at].line, kind, place, original, mutated, first.start, last.end,
                              first.line, last.line + last.text.count("\n")))
    seen = collections.Counter()
    for mutant in out:  # named by its text, so that changes elsewhere keep the name
        words = (file.name, mutant.kind, mutant.original, mutant.mutated)
        mutant.id = digest(*words, seen[words])[:7]
        seen[words] += 1
    return out


def changes(tokens, place):
    """Kind, index of the token, text of the whole place after the change."""
    for i in range(place.first, place.end):
        if tokens[i].in_template or any(a <= i < b for a, b in place.hidden):
            continue
        for kind, edits in changes_at(tokens, i, place.end):
            yield kind, i, text_of(tokens, place.first, place.end, edits)
    if place.is_guard:  # evaluated all the same: it may do something
        original = text_of(tokens, place.first, place.end)
        yield "guard", place.first, f"({original}) && false"
        yield "guard", place.first, f"({original}) || true"


def changes_at(tokens, i, end):
    token = tokens[i]
    if token.kind == "number":
        other = other_number(tokens, i)
        if other:
            yield "constant", {i: other}
    if token.kind != "symbol":
        return
    text = token.text
    near_text = "text" in (tokens[i - 1].kind, tokens[i + 1].kind if i + 1 < len(tokens) else "")
    if not is_binary(tokens, i):
        if text == "-" and tokens[i - 1].text not in (")", "]") and i + 1 < end:
            yield "sign", {i: ""}
        return
    if text in SIGN and not near_text:
        yield "sign", {i: SIGN[text]}
    if text in ADDITIVE and not near_text:
        yield "term", dict.fromkeys(range(i, operand_end(tokens, i, end)), "")
    if text in MULTIPLICATIVE:
        yield "factor", dict.fromkeys(range(i, operand_end(tokens, i, end)), "")
    if text in COMPARISON:
        yield "comparison", {i: COMPARISON[text]}
    if text in LIMIT:
        yield "limit", {i: LIMIT[text]}
    if text in LOGIC:
        yield "logic", {i: LOGIC[text]}


def operand_end(tokens, i, end):
    """Where the right operand of the binary operator at i ends."""
    j = i + 1
    while j < end:
        token = tokens[j]
        if token.text in (",", ";", "?", ":", ")", "]", "}"):
            break
        if is_binary(tokens, j) and not (tokens[i].text in ADDITIVE and token.text in MULTIPLICATIVE):
            break
        if token.text == ">" and not token.in_template:  # of >>
            break
        j = token.partner + 1 if token.partner and token.partner > j else j + 1
    return j


def other_number(tokens, i):
    """A constant that is clearly another; None for integers that stand alone: they are mostly indices."""
    text = tokens[i].text
    if re.fullmatch(r"[1-9]\d*", text):
        arithmetic = ADDITIVE | MULTIPLICATIVE
        near = [j for j in (i - 1, i + 1) if j < len(tokens) and is_binary(tokens, j) and tokens[j].text in arithmetic]
        return str(int(text) + 1) if near else None
    if not re.fullmatch(r"\d+\.\d*(e[+-]?\d+)?|\d+e[+-]?\d+|\.\d+(e[+-]?\d+)?", text) or not float(text):
        return None
    value = float(text)
    value *= 1000 if value <= 1e-3 else 2
    text = f"{value:.15g}"
    return text if re.search(r"[.e]", text) else f"{text}.0"


def digest(*words):
    return hashlib.sha1("\0".join(map(str, words)).encode()).hexdigest()


def in_random_order(mutants, seed):
    """Weighted by kind. A mutant that is added or lost elsewhere hardly changes the order."""
    numbers = collections.Counter(mutant.kind for mutant in mutants)

    def key(mutant):
        uniform = (int(digest(seed, mutant.id)[:12], 16) + 1) / 16**12
        return -math.log(uniform) * numbers[mutant.kind] / WEIGHTS[mutant.kind]

    return sorted(mutants, key=key)


def overlap(a, b):
    """Whether the places of two mutants lie in each other, or partly. At one and the same place there may be any number."""
    return a.file == b.file and a.start < b.end and b.start < a.end and (a.start, a.end) != (b.start, b.end)


def planted(source, numbered, header):
    """The source with mutants, (number, mutant) each, that do not overlap. Lines keep their numbers."""
    places = collections.defaultdict(list)
    for number, mutant in numbered:
        places[mutant.start].append((f"::oloid::mutant::on({number})", mutant))
    for _, switches in sorted(places.items(), reverse=True):
        first = switches[0][1]
        text, place = source[first.start:first.end], first.place
        if place.form == "statement":
            new = "".join(f"if ({on}) {{ {mutant.mutated} }} else " for on, mutant in switches)
            new = f"{{ {new}{{ {text} }} }}"
        else:
            type_text = "bool" if place.form == "condition" else place.type
            cast = f"static_cast<{type_text}>" if type_text else ""
            new = "".join(f"{on} ? {cast}({mutant.mutated}) : " for on, mutant in switches)
            new = f"({new}{cast}({text}))"
        source = source[:first.start] + new + source[first.end:]
    return f'#include "{header}"\n#line 1\n{source}'


def number_at(text, line, column):
    """The number of the mutant at, or last before, a place of a planted source, as a compiler names it; else None."""
    lines = text.split("\n")[2:]  # after #line
    before = "\n".join([*lines[:line - 1], lines[line - 1][:column]]) if line <= len(lines) else ""
    numbers = re.findall(r"::oloid::mutant::on\((\d+)\)", before)
    return int(numbers[-1]) if numbers else None
