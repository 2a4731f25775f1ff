"""What became of the mutants, as Markdown."""

import collections

VERDICTS = ("caught", "survived", "never reached", "not run")


def share(verdicts):
    """Of those that were run."""
    run = [verdict for verdict in verdicts if verdict != "not run"]
    return f"{100 * run.count('caught') / len(run):.0f} %" if run else ""


def table(title, groups):
    """groups: name → verdicts."""
    lines = [f"| {title} | mutants | " + " | ".join(VERDICTS) + " | share caught |", "|---|" + "---|" * (len(VERDICTS) + 2)]
    groups = {**groups, "all": [verdict for verdicts in groups.values() for verdict in verdicts]}
    for name, verdicts in groups.items():
        numbers = " | ".join(str(verdicts.count(verdict)) for verdict in VERDICTS)
        lines.append(f"| {name} | {len(verdicts)} | {numbers} | {share(verdicts)} |")
    return "\n".join(lines)


def tables(results):
    """results: (mutant, verdict, detail)."""
    out = []
    for title, name_of in (("room", lambda mutant: mutant.room), ("kind", lambda mutant: mutant.kind)):
        groups = collections.defaultdict(list)
        for mutant, verdict, _ in sorted(results, key=lambda result: name_of(result[0])):
            groups[name_of(mutant)].append(verdict)
        out.append(table(title, groups))
    return "\n\n".join(out)


def describe(mutant, detail):
    note = f": {detail}" if detail else ""
    return (f"`{mutant.id}` {mutant.file}:{mutant.line} ({mutant.kind}){note}\n\n"
            f"```diff\n- {mutant.original}\n+ {mutant.mutated}\n```")


def report(title, results):
    out = [f"# {title}", tables(results)]
    for verdict in ("survived", "never reached"):
        found = [describe(mutant, detail) for mutant, v, detail in results if v == verdict]
        if found:
            out += [f"## {verdict.capitalize()}", *found]
    caught = [f"| `{mutant.id}` | {mutant.file}:{mutant.line} | {mutant.kind} | {detail} |"
              for mutant, verdict, detail in results if verdict == "caught"]
    if caught:
        out += ["## Caught", "\n".join(["| mutant | place | kind | by |", "|---|---|---|---|", *caught])]
    return "\n\n".join(out) + "\n"
