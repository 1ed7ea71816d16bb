"""Connects to the MCP server at the given URL with the official client, and prints the tools that it sees."""

import asyncio
import sys
from urllib.parse import parse_qs, urlparse

from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamablehttp_client
from mcp.shared.auth import OAuthClientMetadata


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def open_page(url):
    print(f"open {url}", flush=True)


async def read_answer():
    query = parse_qs(urlparse((await asyncio.to_thread(sys.stdin.readline)).strip()).query)
    return query["code"][0], query.get("state", [None])[0]


async def main(url):
    provider = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(
            client_name="Python",
            redirect_uris=["http://127.0.0.1:7777/callback"],
            token_endpoint_auth_method="none",
        ),
        storage=Memory(),
        redirect_handler=open_page,
        callback_handler=read_answer,
    )
    async with streamablehttp_client(url, auth=provider) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            print("tools", *[tool.name for tool in (await session.list_tools()).tools], flush=True)


asyncio.run(main(sys.argv[1]))
