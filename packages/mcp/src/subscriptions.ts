import { HoldfastError } from '@holdfast/client'
import {
  createMcpHandler,
  ProtocolErrorCode,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { Caller } from './call-tool.ts'
import { explainError } from './explain-error.ts'
import { asRecord } from './message.ts'
import { findList, findWatched, type Watched } from './watched.ts'

/**
 * Subscriptions to resources, as revision 2026-07-28 has them: `subscriptions/listen` is a request whose answer is a stream of
 * notifications. The SDK acknowledges, filters and writes them. Each stream has a handler and a source of events of its own, because the
 * SDK would send an event to everyone who named its URI, and the URI of the inbox is the same for all.
 */

/** What knows of changes, for one request. */
export interface Watch {
  /** Those of these resources that exist and that the key may read. Throws if there are too many streams. */
  admit(watched: readonly Watched[]): Promise<readonly Watched[]>
  /** Calls `tell` when one may have changed, and `end` once the key may no longer read all of them. Returns how to stop. */
  follow(watched: readonly Watched[], tell: (changed: Watched) => void, end: () => void): () => void
}

/** Per stream. */
const maxUris = 100

interface Options {
  factory: McpServerFactory
  report(error: Error): void
}

export interface Listening {
  body: unknown
  caller: Caller
  watch: Watch
  authInfo: NonNullable<Parameters<McpHttpHandler['fetch']>[1]>['authInfo']
}

/** Answers requests to listen; `close` ends their streams. */
export function createListener({ factory, report }: Options) {
  const open = new Set<McpHttpHandler>()
  return {
    async listen(request: Request, { body, caller, watch, authInfo }: Listening): Promise<Response> {
      const uris = urisIn(body)
      if (uris.length > maxUris) return refuse(body, ProtocolErrorCode.InvalidParams, `at most ${maxUris} resources`)
      try {
        const watched = await watch.admit(await findAll(body, uris, caller))
        const bus = busOf((tell) => {
          open.add(handler)
          const stop = watch.follow(watched, tell, () => void handler.close())
          return () => {
            open.delete(handler)
            stop()
          }
        })
        const handler: McpHttpHandler = createMcpHandler(factory, { bus, onerror: report })
        return await handler.fetch(request, { parsedBody: narrowTo(watched, body), ...(authInfo && { authInfo }) })
      } catch (error) {
        if (!(error instanceof HoldfastError)) throw error
        return refuse(body, ProtocolErrorCode.InternalError, explainError(error, { inputSchema: noInput }))
      }
    },
    async close() {
      await Promise.all([...open].map((handler) => handler.close()))
    },
  }
}

const noInput = { type: 'object', properties: {}, additionalProperties: false } as const

const requestedIn = (body: unknown) => asRecord(asRecord(asRecord(body)['params'])['notifications'])

/** None if the field isn't a list of texts; the SDK then refuses the request. */
function urisIn(body: unknown): string[] {
  const uris = requestedIn(body)['resourceSubscriptions']
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : []
}

async function findAll(body: unknown, uris: readonly string[], caller: Caller): Promise<Watched[]> {
  const watched = await findWatched(uris, caller)
  const list = requestedIn(body)['resourcesListChanged'] === true ? await findList(caller) : undefined
  return list === undefined ? watched : [...watched, list]
}

/** The request without what can't be watched, so that its acknowledgement promises nothing else. */
function narrowTo(watched: readonly Watched[], body: unknown): unknown {
  const requested = requestedIn(body)
  const narrowed = {
    ...requested,
    ...(urisIn(body).length > 0 && { resourceSubscriptions: watched.flatMap(({ uri }) => uri ?? []) }),
    ...(requested['resourcesListChanged'] === true && {
      resourcesListChanged: watched.some(({ kind }) => kind === 'list'),
    }),
  }
  const { params } = asRecord(body)
  return { ...asRecord(body), params: { ...asRecord(params), notifications: narrowed } }
}

/** The SDK subscribes when it opens the stream, and unsubscribes when the stream ends. */
const busOf = (follow: (tell: (changed: Watched) => void) => () => void): ServerEventBus => ({
  publish: () => {},
  subscribe: (listener) => follow((changed) => listener(eventOf(changed))),
})

const eventOf = ({ uri }: Watched): ServerEvent =>
  uri === undefined ? { kind: 'resources_list_changed' } : { kind: 'resource_updated', uri }

const refuse = (body: unknown, code: ProtocolErrorCode, message: string) =>
  Response.json({ jsonrpc: '2.0', id: asRecord(body)['id'] ?? null, error: { code, message } })
