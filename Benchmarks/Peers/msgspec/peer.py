"""msgspec with typed Structs as a peer: see Peers/README.md."""

import sys
from time import process_time

import models
import msgspec

CASES = {
    "twitter": models.TwitterRoot,
    "citm_catalog": models.CitmCatalogRoot,
    "canada": models.CanadaRoot,
    "github_events": models.GitHubEventsRoot,
}

model = CASES.get(sys.argv[1], models.SmallObject)
with open(sys.argv[2], "rb") as file:
    text = file.read()
decode = msgspec.json.Decoder(model).decode
encode = msgspec.json.Encoder().encode
value = decode(text)

for line in sys.stdin:
    order, *count = line.split()
    count = int(count[0]) if count else 1
    start = process_time()
    if order == "decode":
        for _ in range(count):
            decode(text)
    elif order == "encode":
        for _ in range(count):
            encode(value)
    else:
        print(encode(value).decode(), flush=True)
        continue
    print((process_time() - start) / count, flush=True)
