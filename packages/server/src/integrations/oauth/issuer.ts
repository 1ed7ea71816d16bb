import { isLoopback } from './redirect-uri.ts'

/** The MCP server, as the resource that access tokens are for. */
export const mcpPath = '/mcp'

/** The one scope. What a connection may do is what its integration may do, and the person decides about that. */
export const mcpScope = 'memory'

/**
 * This server as programs know it: its origin. Undefined if they can't connect by themselves: over plain http, codes and tokens could be
 * read on their way to another machine, and without a public URL any name could be in the Host header.
 */
export function findIssuer(publicUrl: string | undefined, hostHeader: string | undefined): string | undefined {
  const url = URL.parse(publicUrl ?? `http://${hostHeader ?? ''}`)
  if (url === null || url.hostname === '') return undefined
  return url.protocol === 'https:' || isLoopback(url) ? url.origin : undefined
}

export const resourceOf = (issuer: string): string => `${issuer}${mcpPath}`
