"""Where mutants can be planted: the statements, initialisers and conditions inside function bodies."""

import dataclasses

from mutation.tokens import is_binary, text_of

# Statements that are left alone as a whole. A changed promise (OLOID_EXPECT) would be a changed test.
LEFT_ALONE = {"break", "continue", "goto", "using", "typedef", "static_assert", "static", "constexpr", "constinit",
              "thread_local", "namespace", "extern", "struct", "class", "union", "enum", "throw", "delete", "template", "friend"}
UNEVALUATED = {"sizeof", "decltype", "noexcept", "alignof", "typeid", "requires"}
SPECIFIERS = {"const", "volatile", "typename"}
BUILT_IN = {"unsigned", "signed", "long", "short", "int", "char", "double", "float", "bool", "auto"}
NOT_TYPES = {"return", "new", "delete", "else", "case", "co_return", "co_yield", "co_await", "this", "not"}


@dataclasses.dataclass
class Place:
    """Tokens [first, end) that are planted in one of these forms.

    statement   if (on) { mutated } else { original }
    value       (on ? (mutated) : (original)), each converted to the type if one is given
    condition   the same as bool
    """
    form: str
    first: int
    end: int
    type: str = ""
    is_guard: bool = False  # the condition of an if without else
    hidden: tuple = ()  # ranges of tokens inside that are not to be changed here


def places_of(tokens):
    """All places of a file, in order. Those in lambdas lie inside those of the statement around."""
    reader = Reader(tokens)
    for first, end in function_bodies(tokens):
        reader.block(first, end)
    return reader.places


def function_bodies(tokens, first=0, end=None):
    """Braces around function bodies, without those of constexpr functions."""
    i, head = first, first
    end = len(tokens) if end is None else end
    while i < end:
        token = tokens[i]
        if token.text == "{" and token.partner:
            what = meaning_of_brace(tokens, head, i)
            if what == "scope":
                yield from function_bodies(tokens, i + 1, token.partner)
            elif what == "function":
                yield i, token.partner
            i = token.partner + 1
            if what != "initialiser":
                head = i
        elif token.partner and token.partner > i:
            i = token.partner + 1
        else:
            i += 1
            if token.text == ";" or (token.text == ":" and tokens[i - 2].text in ("public", "private", "protected")):
                head = i


def meaning_of_brace(tokens, head, brace):
    """What a brace after these tokens opens, outside of functions: scope, function, initialiser or other."""
    words, i = [], head
    while i < brace:
        token = tokens[i]
        words.append(token.text)
        i = token.partner + 1 if token.partner and token.partner > i else i + 1
    if words[:1] == ["template"]:
        words = words[2:]
    if "namespace" in words or words[:1] == ["extern"]:
        return "scope"
    if "=" in words:
        return "initialiser"
    if "enum" in words:
        return "other"
    if "(" not in words:
        return "scope" if {"class", "struct", "union"} & set(words) else "initialiser"
    if "constexpr" in words or "consteval" in words:
        return "other"
    if words[-2:] == ["requires", "("]:
        return "initialiser"
    # Members are initialised after a colon: a_(1), b_{2} { body }
    if ":" in words[words.index("("):] and tokens[brace - 1].text not in (")", "}"):
        return "initialiser"
    return "function"


class Reader:
    """Reads statements. Methods take the index of a first token and give the index after the last."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.places = []

    def text(self, i):
        return self.tokens[i].text if i < len(self.tokens) else ""

    def after(self, i):
        """The next token on the same level."""
        partner = self.tokens[i].partner
        return partner + 1 if partner and partner > i else i + 1

    def find(self, symbols, i, end):
        """The first of these symbols on this level, or the end."""
        while i < end and self.text(i) not in symbols:
            i = self.after(i)
        return min(i, end)

    def pieces(self, separator, i, end):
        """Ranges between separators on this level."""
        out = []
        while i < end:
            j = self.find((separator,), i, end)
            out.append((i, j))
            i = j + 1
        return out

    def block(self, first, end):
        i = first + 1
        while i < end:
            i = self.statement(i)
        return end + 1

    def statement(self, i):
        word = self.text(i)
        if word == "{":
            return self.block(i, self.tokens[i].partner)
        if word in ("if", "while", "for", "switch"):
            return self.control(i)
        if word == "[" and self.text(i + 1) == "[":
            return self.statement(self.after(i))
        if word == "do":
            i = self.statement(i + 1)  # at while
            self.condition(i + 2, self.tokens[i + 1].partner)
            return self.after(i + 1) + 1
        if word in ("else", "try"):
            return self.statement(i + 1)
        if word == "catch":
            return self.statement(self.after(i + 1))
        if word in ("case", "default"):
            return self.find((":",), i, len(self.tokens)) + 1
        end = self.find((";",), i, len(self.tokens)) + 1
        if word in LEFT_ALONE or word.startswith("OLOID_"):
            return end
        hidden = self.lambdas(i, end)
        if word == "return":
            self.places.append(Place("statement", i, end, hidden=hidden))
        elif not self.declaration(i, end, hidden):
            self.places.append(Place("statement", i, end, hidden=hidden))
        return end

    def control(self, i):
        word, open_at = self.text(i), i + 1
        at_compile_time = self.text(open_at) in ("constexpr", "consteval")
        if at_compile_time:
            open_at += 1
        close = self.tokens[open_at].partner
        end = self.statement(close + 1)
        has_else = word == "if" and self.text(end) == "else"
        if at_compile_time or word == "switch":
            return end
        parts = self.pieces(";", open_at + 1, close)
        if word == "for":
            if len(parts) >= 2 and parts[1][0] < parts[1][1] and self.text(parts[0][1]) == ";" and self.text(parts[1][1]) == ";":
                self.condition(*parts[1])
        else:
            self.condition(*parts[-1], is_guard=word == "if" and not has_else)
        return end

    def condition(self, first, end, is_guard=False):
        hidden = self.lambdas(first, end)
        if self.declared_type(first, end) is None:
            self.places.append(Place("condition", first, end, is_guard=is_guard, hidden=hidden))

    def lambdas(self, first, end):
        """Reads the bodies of the lambdas in a range; gives what of them, and of what is never computed, to leave alone."""
        hidden, i = [], first
        while i < end:
            start = i
            if self.text(i) in UNEVALUATED and self.text(i + 1) in ("(", "{"):
                i = self.after(i + 1)
                hidden.append((start, i))
            elif self.starts_lambda(i):
                i = self.after(i)
                brace = self.find(("{", ";", ","), i, end)
                if self.text(brace) == "{":
                    if not {"constexpr", "consteval"} & {self.text(k) for k in range(i, brace)}:
                        self.block(brace, self.tokens[brace].partner)
                    i = self.after(brace)
                hidden.append((start, i))
            else:
                i += 1
        return tuple(hidden)

    def starts_lambda(self, i):
        if self.text(i) != "[" or "[" in (self.text(i + 1), self.text(i - 1)):
            return False
        before = self.tokens[i - 1]
        if before.text in ("return", "else"):
            return True
        return not (before.kind in ("name", "text") or before.text in (")", "]", "}")
                    or (before.text in ("&", "&&") and self.text(i - 2) == "auto"))

    def declared_type(self, i, end):
        """Where the type of a declaration lies, and where its first name is; None for what is no declaration."""
        while self.text(i) in SPECIFIERS:
            i += 1
        first = i
        while self.text(i) in BUILT_IN:
            i += 1
        while i == first or self.text(i - 1) == "::":
            i += self.text(i) in ("::", "template")
            if i >= end or self.tokens[i].kind != "name" or self.text(i) in NOT_TYPES:
                return None
            i += 1
            if self.text(i) == "<" and self.tokens[i].partner:
                i = self.after(i)
            i += self.text(i) == "::"
        type_end = i
        while self.text(i) in ("const", "&", "&&", "*") and not is_binary(self.tokens, i):
            i += 1
        if i >= end or not (self.tokens[i].spaced or self.text(i - 1) in ("&", "*")):
            return None
        if self.text(i) == "[" and self.text(type_end - 1) == "auto":
            return first, type_end, i
        if self.tokens[i].kind != "name" or (self.text(i + 1) not in ("=", "(", "{", ";", ",", "[", ")") and i + 1 < end):
            return None
        return first, type_end, i

    def declaration(self, first, end, hidden):
        """Adds what variables begin with; False if this is no declaration."""
        found = self.declared_type(first, end)
        if not found:
            return False
        type_first, type_end, name = found
        type_text = text_of(self.tokens, type_first, type_end)
        is_whole = name == type_end  # no reference, no pointer
        for start, stop in self.pieces(",", name, end - 1):
            while self.text(start) in ("&", "*"):
                start, is_whole = start + 1, False
            at = start + 1 if self.text(start) != "[" else self.after(start)
            while self.text(at) == "[":  # an array
                at, is_whole = self.after(at), False
            if self.text(at) in ("(", "{"):
                self.arguments(at, hidden)
            elif self.text(at) == "=" and self.text(at + 1) == "{":
                self.arguments(at + 1, hidden)
            elif self.text(at) == "=" and not any(at < a < stop for a, _ in hidden):
                use = type_text if is_whole and "auto" not in type_text else ""
                self.places.append(Place("value", at + 1, stop, use))
        return True

    def arguments(self, bracket, hidden):
        """What a list in brackets gives, one by one."""
        for first, end in self.pieces(",", bracket + 1, self.tokens[bracket].partner):
            if self.text(first) == "." and self.text(first + 2) == "=":  # .member =
                first += 3
            if self.text(first) == "{":
                self.arguments(first, hidden)
            elif first < end and not any(first <= a < end for a, _ in hidden):
                self.places.append(Place("value", first, end))
