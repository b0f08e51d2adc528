"""sqlite-utils as a peer of the store: see Peers/README.md."""

import json
import sys
from time import perf_counter, process_time

from sqlite_utils import Database


def read(path):
    with open(path, "rb") as file:
        records = json.load(file)
    for record in records:
        record.setdefault("company", None)
    return records


records, changed = read(sys.argv[1]), read(sys.argv[2])
database = None

for line in sys.stdin:
    order, path = line.rstrip("\n").split(" ", 1)
    start = process_time(), perf_counter()
    if order == "insert":
        if database is not None:
            database.close()
        database = Database(path)
        database.enable_wal()
        database.execute("PRAGMA synchronous=NORMAL")
    table, rows = database["Record"], records if order == "insert" else changed
    if sys.argv[3] == "all":
        table.upsert_all(rows, pk="id")
    else:
        with database.atomic():
            for row in rows:
                table.upsert(row, pk="id")
    print(process_time() - start[0], perf_counter() - start[1], flush=True)
