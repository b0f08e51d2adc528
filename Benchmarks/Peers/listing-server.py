"""Serves `/rows`, a listing of so many rows in pages of 500 with `Link` fields, on a port of 127.0.0.1 that it prints."""

import socket
import sys
import threading

ROWS_PER_PAGE = 500


def page(number, count, port):
    first, last = number * ROWS_PER_PAGE, min((number + 1) * ROWS_PER_PAGE, count)
    rows = (
        f'{{"id":{row},"name":"name of row {row}","age":{row % 90},"score":{row}.5,"at":"2026-01-01T00:00:00Z"}}'
        for row in range(first, last))
    body = f"[{','.join(rows)}]".encode()
    link = f'Link: <http://127.0.0.1:{port}/rows?page={number + 1}>; rel="next"\r\n' if last < count else ""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{link}\r\n"
    return head.encode() + body


def serve(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines = connection.makefile("rb")
    while line := lines.readline():
        target = line.split()[1].decode()
        while lines.readline() not in (b"\r\n", b""):
            pass
        number = int(target.split("page=")[1].split("&")[0]) if "page=" in target else 0
        connection.sendall(pages[number])


count = int(sys.argv[1])
server = socket.create_server(("127.0.0.1", 0))
port = server.getsockname()[1]
pages = [page(number, count, port) for number in range(-(-count // ROWS_PER_PAGE))]
print(port, flush=True)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
