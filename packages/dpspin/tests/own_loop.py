"""Run a coroutine in a thread of its own: a browser that other tests of the process use holds this one's loop."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run_apart(coroutine):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
