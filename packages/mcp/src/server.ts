import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolRequest,
  type CallToolResult,
  type CompleteRequest,
  type GetPromptRequest,
  type ListResourcesRequest,
  type ReadResourceRequest,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { callTool, type Caller } from './call-tool.ts'
import { closestTo } from './closest.ts'
import { complete } from './completions.ts'
import { explainTooMany } from './explain-error.ts'
import { instructions } from './instructions.ts'
import { findTool, selectTools, toolNames } from './list-tools.ts'
import { findPrompt, prompts, printPrompt } from './prompts.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import { clip, displayName } from './render/one-line.ts'
import type { Tool } from './tool.ts'
import { getDirectory } from './vault-directory.ts'

/** Length of a URI in an error message, which contains it twice. */
const maxUriChars = 300
const listTtlMs = 300_000
const cacheHint = { ttlMs: listTtlMs, cacheScope: 'private' } as const

/** Adds handlers to a server before it is connected. Only tests use it. */
export type Extend = (server: Server, own: Handlers) => void

interface Extras {
  extend: Extend | undefined
  /** Whether this transport delivers `subscriptions/listen`. */
  canListen: boolean
}

/**
 * Creates the protocol server: one per HTTP request, or one per stdio process. It keeps nothing between calls.
 */
export function createProtocolServer(caller: Caller, version: string, { extend, canListen }: Extras): Server {
  const server = new Server(
    { name: 'holdfast', title: 'Holdfast', version },
    {
      capabilities: {
        tools: {},
        resources: canListen ? { subscribe: true, listChanged: true } : {},
        prompts: {},
        completions: {},
      },
      instructions,
      cacheHints: {
        'tools/list': cacheHint,
        'prompts/list': cacheHint,
        'resources/templates/list': cacheHint,
        'server/discover': cacheHint,
        // Memory may change at any moment.
        'resources/list': { ttlMs: 0, cacheScope: 'private' },
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
      },
    },
  )
  const handlers = createHandlers(caller)
  server.setRequestHandler('tools/list', handlers['tools/list'])
  server.setRequestHandler('tools/call', handlers['tools/call'])
  server.setRequestHandler('resources/list', handlers['resources/list'])
  server.setRequestHandler('resources/templates/list', handlers['resources/templates/list'])
  server.setRequestHandler('resources/read', handlers['resources/read'])
  server.setRequestHandler('prompts/list', handlers['prompts/list'])
  server.setRequestHandler('prompts/get', handlers['prompts/get'])
  server.setRequestHandler('completion/complete', handlers['completion/complete'])
  extend?.(server, handlers)
  return server
}

export type Handlers = ReturnType<typeof createHandlers>

/** Creates the handlers of the protocol methods. */
function createHandlers(caller: Caller) {
  const settled =
    <Asked, Answer>(answer: (asked: Asked, ctx: ServerContext) => Promise<Answer>, reject: (text: string) => Answer) =>
    async (asked: Asked, ctx: ServerContext): Promise<Answer> => {
      const outcome = answer(asked, ctx)
      await outcome.catch(() => {})
      const waitSeconds = await caller.settle?.()
      return waitSeconds === undefined ? outcome : reject(explainTooMany(waitSeconds))
    }
  return {
    'tools/list': async () => ({ tools: (await allowedTools(caller)).map(describeTool) }),
    'tools/call': settled(
      ({ params }: CallToolRequest, ctx) => runTool(params.name, params.arguments ?? {}, caller, ctx.mcpReq.signal),
      failed,
    ),
    'resources/list': settled(
      async (_request: ListResourcesRequest, ctx) => ({
        resources: await listResources(caller, ctx.mcpReq.signal),
      }),
      refuse,
    ),
    'resources/templates/list': () => ({ resourceTemplates: [...resourceTemplates] }),
    'resources/read': settled(async ({ params: { uri } }: ReadResourceRequest, ctx) => {
      const text = await readResource(uri, caller, ctx.mcpReq.signal)
      if (text === undefined) throw new ResourceNotFoundError(clip(uri, maxUriChars))
      return { contents: [{ uri, mimeType: 'text/markdown', text }] }
    }, refuse),
    'prompts/list': () => ({ prompts: prompts.map(({ messages: _messages, ...shown }) => shown) }),
    'prompts/get': settled(async ({ params }: GetPromptRequest, ctx) => {
      const prompt = findPrompt(params.name)
      if (prompt === undefined)
        throw unknown(
          'prompt',
          params.name,
          prompts.map(({ name }) => name),
        )
      return printPrompt(prompt, params.arguments ?? {}, caller, ctx.mcpReq.signal)
    }, refuse),
    'completion/complete': settled(
      async ({ params }: CompleteRequest, ctx) => ({ completion: await complete(params, caller, ctx.mcpReq.signal) }),
      refuse,
    ),
  }
}

const describeTool = ({ name, title, description, inputSchema, effect, isIdempotent }: Tool) => ({
  name,
  title,
  description,
  inputSchema: inputSchema as unknown as { type: 'object' },
  annotations: {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destructive',
    idempotentHint: isIdempotent,
    openWorldHint: false,
  },
})

/** Returns the tools that the key may use in some vault, or all while the server is down: a host that sees none never asks again. */
async function allowedTools(caller: Caller): Promise<readonly Tool[]> {
  const selected = selectTools(caller.switches)
  try {
    const { scopes } = await getDirectory(caller)
    return selected.filter((tool) => tool.scopes.every((scope) => scopes.has(scope)))
  } catch {
    return selected
  }
}

async function runTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = findTool(name, caller.switches)
  if (tool === undefined) throw unknown('tool', name, toolNames())
  if (caller.switches.isReadOnly && tool.effect !== 'read')
    return failed('READ_ONLY: this connection is read-only. Ask the user to remove readonly to allow writing.')
  const { text, isError, data } = await callTool(tool, args, caller, signal)
  if (isError) return failed(text)
  const structured = caller.switches.isStructured && data !== undefined ? { structuredContent: data } : {}
  return { content: [{ type: 'text', text }], ...structured }
}

function refuse(text: string): never {
  throw new ProtocolError(ProtocolErrorCode.InternalError, text)
}

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

function unknown(kind: 'tool' | 'prompt', name: string, known: readonly string[]): ProtocolError {
  const closest = closestTo(name, known)
  const hint = closest === undefined ? '' : `; did you mean ${closest}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}: ${displayName(name)}${hint}`)
}
