"""jiter as a peer of anvil-bench partial: after each piece it parses all that has arrived. See Peers/README.md."""

import sys
from time import process_time

from jiter import from_json

with open(sys.argv[1], "rb") as file:
    text = file.read()
size = int(sys.argv[2])

for line in sys.stdin:
    count = int(line.split()[1])
    start = process_time()
    for _ in range(count):
        for end in range(size, len(text) + size, size):
            from_json(text[:end], partial_mode="trailing-strings")
    print((process_time() - start) / count, flush=True)
