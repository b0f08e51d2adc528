"""Compares two profiles of callgrind and prints the functions that each additional call enters; see scripts/walk."""

import collections
import re
import sys

MODULE = re.compile(r"\$s(\d+)(Anvil\w*)")
# The parts of an async function, and the numbers that callgrind adds to recursive ones.
PARTS = re.compile(r"(T[QY]\d+_|'\d+)+$")
# Outlined copies, lazy witness tables, metadata, value witnesses, protocol witnesses, partial applications, method descriptors.
COMPILED = re.compile(r"(WO[a-zA-Z]+\d*_?|W[lLbP]|M[ar]|w[a-z]{2}|T[mWAu])$")


def profile(path):
    """Returns the calls and the instructions of each function in a file of callgrind."""
    names, calls, instructions = {}, collections.Counter(), collections.Counter()

    def name(text):
        number, _, full = text.partition(" ")
        if not number.startswith("("):
            return text
        if full:
            names[number] = full
        return names[number]

    function = callee = None
    is_call = False
    with open(path, errors="replace") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("fn="):
                function = name(line[3:])
            elif line.startswith("cfn="):
                callee = name(line[4:])
            elif line.startswith("calls="):
                calls[callee] += int(line[6:].split()[0])
                is_call = True
            elif line and (line[0].isdigit() or line[0] in "+-*"):
                # The line after a call has the instructions of the callee.
                if not is_call and len(line.split()) > 1:
                    instructions[function] += int(line.split()[1])
                is_call = False
    return calls, instructions


def module(symbol):
    match = MODULE.match(symbol)
    name = match.group(2)[: int(match.group(1))] if match else None
    return None if name in ("AnvilLinkageProbe", "AnvilSyncProbe") else name


def main(short, long, count, wants_list):
    (calls, instructions), (more_calls, more_instructions) = profile(short), profile(long)
    total = sum(more_instructions.values()) - sum(instructions.values())
    functions = collections.defaultdict(lambda: [0, 0])
    for symbol in more_calls:
        entered = more_calls[symbol] - calls[symbol]
        if entered < count or module(symbol) is None:
            continue
        function = PARTS.sub("", symbol)
        if COMPILED.search(function):
            continue
        functions[function][0] += entered
        functions[function][1] += more_instructions[symbol] - instructions[symbol]
    if wants_list:
        for function in sorted(functions):
            entered, own = functions[function]
            print(f"{entered / count:6.1f} {own / count:8.0f} {module(function)}: {function}")
    modules = collections.Counter(module(function) for function in functions)
    for name, number in sorted(modules.items()):
        print(f"{name:<16}{number:>5} functions")
    own = sum(own for _, own in functions.values())
    print(f"{'all':<16}{len(functions):>5} functions, {own / count:,.0f} of {total / count:,.0f} instructions")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), "--list" in sys.argv)
