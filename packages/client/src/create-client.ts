import { callOperation, routeOf, vaultIdOf, type Caller } from './call-operation.ts'
import type { Call } from './call.ts'
import { authorizationOf, describeConnection, type ConnectionOptions } from './connection.ts'
import { contextText } from './context-text.ts'
import type {
  InfoOutput,
  OperationName,
  SessionStartInput,
  SessionStartOutput,
  SessionTrackInput,
  SessionTrackOutput,
} from './generated/operations.ts'
import { methodNames, routes, type Methods } from './generated/routes.ts'
import type { CallOptions, Method, Reply } from './method.ts'
import { newUuid } from './new-uuid.ts'

export interface ClientOptions extends ConnectionOptions {
  /** An agent key, `svc_…`. Default: `HOLDFAST_KEY`. */
  key?: string | undefined
  /** Session or run that groups operations; sent with every call as X-Agent-Run-Id. */
  agentRunId?: string | undefined
  /** Id or name of the vault that is meant where a call names none; a name is looked up before the first such call. Default: the integration's primary vault. */
  vault?: string | undefined
  /** What this agent calls itself where a call does not say it. Default: the integration's. */
  agentId?: string | undefined
}

/**
 * The operations as methods. Each call is sent at once and resolves with the answer, or rejects with a HoldfastError or
 * the reason of its signal. A write that takes an `externalWriteId` and has none is given one where it may be tried again;
 * `idempotent: true` in its answer then means that an attempt before the last one stored it. A session that begins outside of
 * a run is given one likewise.
 */
export interface Client extends Methods {
  /** An operation by its name, such as `search-memories`. */
  call<Name extends OperationName>(name: Name, ...args: Parameters<Method<Name>>): Reply<Name>
  /** Who this key is and what it may do. Needs no scope. */
  info(options?: CallOptions): Call<InfoOutput>
  /** A client whose calls belong to one run (X-Agent-Run-Id), a new one unless an id is given. */
  run(id?: string): Run
  /**
   * Begins a session without ever rejecting: where there is no context, `text` is empty and `error` says why. Ends after
   * five seconds and is tried once, unless told otherwise.
   */
  tryContext(input?: SessionStartInput, options?: CallOptions): Promise<TriedContext>
  /** The id of a vault that is given by id or name. Rejects with a NotFoundError where no vault has the name, or several have. */
  vaultIdOf(vault: string, options?: CallOptions): Promise<string>
}

export interface Run extends Client {
  readonly id: string
  /** Tells that the run has ended. */
  end(input?: Omit<SessionTrackInput, 'event'>, options?: CallOptions): Call<SessionTrackOutput>
}

export interface TriedContext {
  /** The context for a model to read, marked as recalled; empty where there is none. */
  text: string
  context?: SessionStartOutput
  error?: unknown
}

const contextTimeoutMs = 5000

// As the runtime sees it: names of methods, and of operations.
const methodsByNoun: Readonly<Record<string, Readonly<Record<string, OperationName>>>> = methodNames

type Fields = Readonly<Record<string, unknown>>

/** Opens nothing and keeps nothing open: a client needs no closing. Throws a TypeError for options that cannot work. */
export function createClient(options: ClientOptions = {}): Client {
  const { key, vault, agentId, agentRunId } = options
  const connection = describeConnection(options, {
    Authorization: authorizationOf(key, 'key', 'HOLDFAST_KEY'),
    ...(agentRunId !== undefined && { 'X-Agent-Run-Id': agentRunId }),
  })
  const caller: Caller = { connection, vault, agentId, vaultIds: new Map() }
  const bind = (name: OperationName) => (input?: Fields, callOptions?: CallOptions) =>
    callOperation(caller, routeOf(routes, name), input, callOptions)
  const client = {
    ...mapValues(methodsByNoun, (names) => mapValues(names, bind)),
    call: (name: OperationName, input?: Fields, callOptions?: CallOptions) => bind(name)(input, callOptions),
    info: (callOptions?: CallOptions) => bind('info')({}, callOptions),
    run: (id: string = newUuid()) => createRun(options, id),
    tryContext: (input?: SessionStartInput, callOptions?: CallOptions) => tryContext(client, input, callOptions),
    vaultIdOf: (named: string, callOptions: CallOptions = {}) => vaultIdOf(caller, named, callOptions),
    // The generated table and its types are printed from one list.
  } as unknown as Client
  return client
}

function createRun(options: ClientOptions, id: string): Run {
  const client = createClient({ ...options, agentRunId: id })
  const end: Run['end'] = (input, callOptions) => client.session.track({ ...input, event: 'end' }, callOptions)
  return { ...client, id, end }
}

async function tryContext(client: Client, input?: SessionStartInput, options?: CallOptions): Promise<TriedContext> {
  try {
    const context = await client.session.start(input, { timeoutMs: contextTimeoutMs, maxRetries: 0, ...options })
    return { text: contextText(context), context }
  } catch (error) {
    return { text: '', error }
  }
}

const mapValues = <Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
