"""aiohttp fetching COUNT pages with CONCURRENCY transfers: prints one line of JSON.

fetch_aiohttp.py URL COUNT CONCURRENCY BYTES
"""

import asyncio
import json
import resource
import sys
import time

import aiohttp


async def main(url: str, count: int, concurrency: int, expected: int) -> None:
    pages = iter(range(count))

    async def worker(session: aiohttp.ClientSession) -> None:
        for page in pages:
            async with session.get(f"{url}?page={page}") as reply:
                body = await reply.read()
                if reply.status != 200 or len(body) != expected:
                    raise SystemExit(f"{reply.status}, {len(body)} bytes")

    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:
        cpu, start = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
        await asyncio.gather(*(worker(session) for _ in range(concurrency)))
        seconds, end = time.monotonic() - start, resource.getrusage(resource.RUSAGE_SELF)
    used = (end.ru_utime + end.ru_stime - cpu.ru_utime - cpu.ru_stime) * 1e6
    print(json.dumps({"ops": count, "seconds": seconds, "cpu_us": used}))


if sys.argv[1:] == ["version"]:
    print(f"aiohttp {aiohttp.__version__}, Python {sys.version.split()[0]}")
else:
    asyncio.run(main(sys.argv[1], *(int(argument) for argument in sys.argv[2:5])))
