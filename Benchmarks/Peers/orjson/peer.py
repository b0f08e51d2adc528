"""orjson as a peer, to and from dictionaries and lists, not typed: see Peers/README.md."""

import sys
from time import process_time

from orjson import dumps, loads

with open(sys.argv[2], "rb") as file:
    text = file.read()
value = loads(text)

for line in sys.stdin:
    order, *count = line.split()
    count = int(count[0]) if count else 1
    start = process_time()
    if order == "decode":
        for _ in range(count):
            loads(text)
    elif order == "encode":
        for _ in range(count):
            dumps(value)
    else:
        print(dumps(value).decode(), flush=True)
        continue
    print((process_time() - start) / count, flush=True)
