"""Compares two folders of ledgers, which scripts/api writes, and prints the changes that can break a program:

  breakage.py RELEASED CURRENT

- a declaration, a conformance or an attribute that is gone
- a declaration that has changed: the same name in the same type, with other parameters, another result or other conditions
- a requirement without a default in a protocol, and a case in an enumeration that callers may switch over without a default

The text of a declaration is compared, so that a renamed parameter of an operator is a change, too: a person decides. A declaration that moved to
another product or module is unchanged if an import of the old product still brings it; the comparison is therefore by product, and a move between
the modules of a product is not listed. The exit status is 1 if there are changes.
"""
import difflib
import pathlib
import re
import sys

# The kind and the name of a declaration. An operator is followed by a blank.
NAME = re.compile(r"\b(?:func (?:[A-Za-z_]\w*|[^\s(]+)|(?:var|let|case|typealias|associatedtype|macro) \w+|init|subscript)")


def types(path):
    """The headings of a product's ledger, each with its members; those of the module itself have the heading ""."""
    groups = {"": set()}
    heading = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            groups[heading].add(line.strip())
        elif re.match(r"(@\w+(\([^)]*\))? )*((final )?class|struct|enum|protocol|actor|extension) ", line):
            heading = line
            groups.setdefault(heading, set())
        elif line and not line.startswith("//"):
            groups[""].add(line)
    return groups


def subject(heading):
    """The kind and the name of a type, without attributes, generic parameters, conformances and conditions."""
    match = re.search(r"\b(class|struct|enum|protocol|actor|extension) ([^\s:<]+)", heading)
    return f"{match[1]} {match[2]}" if match else ""


def merged(groups):
    """The headings and the members of each type. Several extensions of a type are one."""
    result = {}
    for heading, members in groups.items():
        headings, all_members = result.setdefault(subject(heading), (set(), set()))
        headings.add(heading)
        all_members |= members
    return result


def conformances(heading):
    """The protocols of a heading, each with the condition of the heading."""
    declaration, _, condition = heading.partition(" where ")
    _, colon, names = declaration.partition(": ")
    # Commas in generic arguments do not separate protocols.
    return {(name.strip(), condition) for name in re.split(r", (?![^<]*>)", names)} if colon else set()


def attributes(heading):
    return set(re.findall(r"@\w+(?:\([^)]*\))?", heading))


def word(member):
    """The kind and the name of a member, by which the new form of a changed member is found."""
    match = NAME.search(member)
    return match[0] if match else member


def changes(old, new):
    for name, (old_headings, old_members) in sorted(old.items()):
        if name not in new:
            yield f"removed: {next(iter(sorted(old_headings)))}"
            continue
        headings, members = new[name]
        for protocol, condition in sorted(set().union(*map(conformances, old_headings)) - set().union(*map(conformances, headings))):
            yield f"removed: the conformance of {name} to {protocol}{' where ' + condition if condition else ''}"
        for attribute in sorted(set().union(*map(attributes, old_headings)) - set().union(*map(attributes, headings))):
            yield f"removed: {attribute} of {name}"
        added = sorted(members - old_members)
        prefix = f"{name}: " if name else ""
        replacements = set()
        for member in sorted(old_members - members):
            # A default that a requirement has gained breaks nothing.
            if any(other.startswith(f"{member} // has a default") for other in added):
                continue
            similar = [other for other in added if word(other) == word(member) and other not in replacements]
            if similar:
                replacement = max(similar, key=lambda other: difflib.SequenceMatcher(None, member, other).ratio())
                replacements.add(replacement)
                yield f"changed: {prefix}{member}\n    now: {replacement}"
            else:
                yield f"removed: {prefix}{member}"
        for member in added:
            is_new = member not in replacements
            if name.startswith("protocol ") and is_new and "// has a default" not in member:
                yield f"added: {prefix}{member}, which conforming types of callers lack"
            is_exhaustive = name.startswith("enum ") and not any("@nonexhaustive" in heading for heading in headings)
            if is_exhaustive and member.startswith("case "):
                yield f"added: {prefix}{member}, which switches of callers lack"


def main(released, current):
    count = 0
    for path in sorted(released.glob("*.txt")):
        now = current / path.name
        old = merged(types(path))
        found = list(changes(old, merged(types(now)))) if now.exists() else ["removed: the product"]
        for change in found:
            print(f"{path.stem}: {change}")
        count += len(found)
    return count


if __name__ == "__main__":
    sys.exit(1 if main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])) else 0)
