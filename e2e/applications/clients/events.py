"""Sends an event each 200 ms. A client that connects again names the last one that it has."""

import asyncio
import time

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, StreamingResponse
from starlette.routing import Route


async def events(request):
    first = int(request.headers.get("last-event-id", "-1")) + 1
    rest_seconds = float(request.query_params.get("rest", "0"))

    async def stream():
        yield "retry: 100\n\n"
        for number in range(first, first + 5):
            yield f"id: {number}\nevent: tick\ndata: {time.time()}\n\n"
            await asyncio.sleep(0.2)
        if rest_seconds:
            await asyncio.sleep(rest_seconds)
            yield "event: rested\ndata: 1\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def page(request):
    return HTMLResponse("<!doctype html><title>events</title>")


app = Starlette(routes=[Route("/events", events), Route("/", page)])
