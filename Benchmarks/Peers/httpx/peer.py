"""httpx as a peer of anvil-transport-bench: see Peers/README.md."""

import asyncio
import resource
import ssl
import sys
from time import perf_counter

import httpx

url, version, concurrency, byte_count, consumption, authorities = sys.argv[1:]
concurrency, byte_count = int(concurrency), int(byte_count)
fields = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "anvil-transport-bench"}


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak_kilobytes():
    with open("/proc/self/status") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)


async def perform(client):
    if consumption == "collect":
        response = await client.get(url)
        count = len(response.content)
    else:
        count = 0
        async with client.stream("GET", url) as response:
            async for chunk in response.aiter_raw():
                count += len(chunk)
    if response.status_code != 200 or count != byte_count:
        raise RuntimeError(f"status {response.status_code}, {count} bytes")


async def requests(client, end):
    latencies, time = [], perf_counter()
    while True:
        await perform(client)
        next_time = perf_counter()
        latencies.append(next_time - time)
        time = next_time
        if time >= end:
            return latencies


async def main():
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency, keepalive_expiry=None)
    async with httpx.AsyncClient(
        http1=version == "1",
        http2=version == "2",
        verify=ssl.create_default_context(cafile=authorities),
        headers=fields,
        limits=limits,
        timeout=600,
        trust_env=False,
    ) as client:
        # Rounds come one at a time, and nothing else happens between them.
        for line in sys.stdin:
            processor, start = processor_seconds(), perf_counter()
            end = start + float(line)
            lists = await asyncio.gather(*(requests(client, end) for _ in range(concurrency)))
            elapsed, processor = perf_counter() - start, processor_seconds() - processor
            latencies = sorted(latency for own in lists for latency in own)
            median, high = latencies[len(latencies) // 2], latencies[len(latencies) * 99 // 100]
            print(len(latencies), elapsed, processor, median * 1e6, high * 1e6, peak_kilobytes(), flush=True)


asyncio.run(main())
