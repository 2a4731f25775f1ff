"""C++ as tokens, as far as code that clang-format has laid out needs it.

The layout tells apart what else would need a grammar: binary operators have spaces on both sides, angle brackets of
templates and signs have none.
"""

import dataclasses
import re

PATTERN = re.compile(
    r"""
  (?P<space>\n | [^\S\n]+ | //[^\n]* | /\*.*?\*/)
| (?P<text>(?:u8|[uUL])?R"(?P<fence>[^()\\\s]*)\(.*?\)(?P=fence)"
         | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"
         | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
| (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
| (?P<name>operator\s*(?:\(\)|\[\]|[-+*/%<>=!&|^~,]+) | [^\W\d]\w*)
| (?P<symbol><<=|->\*|<=>|\.\.\.|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|[^\s])
""", re.X | re.S)
DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n\\]|\\.)*", re.S)
OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclasses.dataclass
class Token:
    kind: str  # text, number, name or symbol
    text: str
    start: int  # in the source
    line: int
    spaced: bool  # has space, a line break or a comment before it
    partner: int = None  # of a bracket: index of the other one
    in_template: bool = False  # between the angle brackets of a template

    @property
    def end(self):
        return self.start + len(self.text)


def tokens_of(source):
    """All tokens but comments and preprocessor lines; brackets know their partners."""
    found, at, line, spaced = [], 0, 1, True
    while at < len(source):
        at_line_start = at == 0 or source[at - 1] == "\n"
        match = at_line_start and DIRECTIVE.match(source, at) or PATTERN.match(source, at)
        kind = match.lastgroup or "space"
        if kind == "space":
            spaced = True
        else:
            found.append(Token(kind, match.group(), at, line, spaced))
            spaced = False
        line += match.group().count("\n")
        at = match.end()
    pair_brackets(found)
    return found


def opens_template(tokens, i):
    if tokens[i].text != "<" or i == 0:
        return False
    before = tokens[i - 1]
    return before.text == "template" or (not tokens[i].spaced and (before.kind == "name" or before.text == "]"))


def pair_brackets(tokens):
    stack = []
    for i, token in enumerate(tokens):
        if token.kind != "symbol":
            continue
        if token.text in "([{" or opens_template(tokens, i):
            stack.append(i)
        elif token.text in (")", "]", "}"):
            while stack and OPENING[tokens[stack[-1]].text] != token.text:
                stack.pop()
            if stack:
                pair(tokens, stack.pop(), i)
        elif token.text == ">" and stack and tokens[stack[-1]].text == "<":
            pair(tokens, stack.pop(), i)


def pair(tokens, i, j):
    tokens[i].partner, tokens[j].partner = j, i
    if tokens[i].text == "<":
        for token in tokens[i:j + 1]:
            token.in_template = True


def is_binary(tokens, i):
    """Whether the symbol has an operand on both sides."""
    return tokens[i].kind == "symbol" and tokens[i].spaced and i + 1 < len(tokens) and tokens[i + 1].spaced


def text_of(tokens, first, end, edits=None):
    """Tokens [first, end) on one line, without comments. Edits: index → other text, empty to leave it out."""
    out, spaced = "", False
    for i in range(first, end):
        text = (edits or {}).get(i, tokens[i].text)
        spaced = spaced and text not in (")", "]", "}", ",", ";") or tokens[i].spaced
        if text:
            out += (" " if spaced and out else "") + text
            spaced = False
    return out
