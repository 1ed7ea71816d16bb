import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolRequest,
  type CallToolResult,
  type GetPromptRequest,
  type ListResourcesRequest,
  type ReadResourceRequest,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { callTool, type Caller } from './call-tool.ts'
import { closestTo } from './closest.ts'
import { explainTooMany } from './explain-error.ts'
import { instructions } from './instructions.ts'
import { findTool, selectTools, toolNames } from './list-tools.ts'
import { findPrompt, prompts, printPrompt } from './prompts.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import { clip, nameOf } from './render/one-line.ts'
import type { Tool } from './tool.ts'
import { directoryOf } from './vault-directory.ts'

/** Of an address that is told again, twice. */
const maxUriChars = 300
const listTtlMs = 300_000
const cacheHint = { ttlMs: listTtlMs, cacheScope: 'private' } as const

/** May add to what a server offers, or answer in its place, before anybody is connected. The service itself has no use for it. */
export type Extend = (server: Server, own: Handlers) => void

/**
 * The protocol's side of it: what there is, and who is asked. One is made for each request over HTTP and one for each
 * process over stdio; it holds nothing between calls.
 */
export function createProtocolServer(caller: Caller, version: string, extend?: Extend): Server {
  const server = new Server(
    { name: 'holdfast', title: 'Holdfast', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions,
      cacheHints: {
        'tools/list': cacheHint,
        'prompts/list': cacheHint,
        'resources/templates/list': cacheHint,
        'server/discover': cacheHint,
        // What is in the memory may be another thing at any moment.
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
  extend?.(server, handlers)
  return server
}

export type Handlers = ReturnType<typeof createHandlers>

/** What answers each method of the protocol. */
function createHandlers(caller: Caller) {
  const settled =
    <Asked, Answer>(answer: (asked: Asked, ctx: ServerContext) => Promise<Answer>, tell: (text: string) => Answer) =>
    async (asked: Asked, ctx: ServerContext): Promise<Answer> => {
      const outcome = answer(asked, ctx)
      await outcome.catch(() => {})
      const waitSeconds = await caller.settle?.()
      return waitSeconds === undefined ? outcome : tell(explainTooMany(waitSeconds))
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
    'prompts/list': () => ({ prompts: prompts.map(({ messages: _messages, ...told }) => told) }),
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

/** Those that the key may use somewhere. While the service is away, all: a host that sees none asks for none later. */
async function allowedTools(caller: Caller): Promise<readonly Tool[]> {
  const selected = selectTools(caller.switches)
  try {
    const { scopes } = await directoryOf(caller)
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
    return failed('READ_ONLY: this connection was set up to read only. Ask the user to remove readonly to write.')
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
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}: ${nameOf(name)}${hint}`)
}
