import { callOperation, getRoute, resolveVaultId, type Caller } from './call-operation.ts'
import type { Call } from './call.ts'
import { buildAuthorization, describeConnection, type ConnectionOptions } from './connection.ts'
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
  /** Groups the calls of a session; sent with every call as X-Agent-Run-Id. */
  agentRunId?: string | undefined
  /** Id or name of the vault for calls that do not name one. A name is looked up before the first such call. Default: the integration's default vault. */
  vault?: string | undefined
  /** The agent's name, for calls that do not pass one. Default: the integration's. */
  agentId?: string | undefined
}

/**
 * The operations as methods. Each call is sent at once. It resolves with the answer, or rejects with a HoldfastError or the
 * reason of its signal. If a call may be retried, the client adds the id that makes this safe: an `externalWriteId` for a
 * write, an `agentRunId` for a session. `idempotent: true` in the answer then means that an earlier attempt had succeeded.
 */
export interface Client extends Methods {
  /** Calls an operation by its name, such as `search-memories`. */
  call<Name extends OperationName>(name: Name, ...args: Parameters<Method<Name>>): Reply<Name>
  /** Returns who the key belongs to and what it may do. Needs no scope. */
  info(options?: CallOptions): Call<InfoOutput>
  /** Returns a client whose calls belong to one run (X-Agent-Run-Id). Without an id, it starts a new run. */
  run(id?: string): Run
  /**
   * Starts a session and never rejects: if it fails, `text` is empty and `error` says why. By default it times out after
   * five seconds and does not retry.
   */
  tryContext(input?: SessionStartInput, options?: CallOptions): Promise<TriedContext>
  /** Returns the id of a vault given by id or name. Rejects with a NotFoundError if no vault, or more than one, has the name. */
  vaultIdOf(vault: string, options?: CallOptions): Promise<string>
}

export interface Run extends Client {
  readonly id: string
  /** Ends the run. */
  end(input?: Omit<SessionTrackInput, 'event'>, options?: CallOptions): Call<SessionTrackOutput>
}

export interface TriedContext {
  /** The context for a model, between recall marks. Empty if the call failed. */
  text: string
  context?: SessionStartOutput
  error?: unknown
}

const contextTimeoutMs = 5000

// The generated table with plain types: operation names by noun and method.
const methodsByNoun: Readonly<Record<string, Readonly<Record<string, OperationName>>>> = methodNames

type Fields = Readonly<Record<string, unknown>>

/** Creates a client. It keeps nothing open, so you do not need to close it. Throws a TypeError for invalid options. */
export function createClient(options: ClientOptions = {}): Client {
  const { key, vault, agentId, agentRunId } = options
  const connection = describeConnection(options, {
    Authorization: buildAuthorization(key, 'key', 'HOLDFAST_KEY'),
    ...(agentRunId !== undefined && { 'X-Agent-Run-Id': agentRunId }),
  })
  const caller: Caller = { connection, vault, agentId, vaultIds: new Map() }
  const bind = (name: OperationName) => (input?: Fields, callOptions?: CallOptions) =>
    callOperation(caller, getRoute(routes, name), input, callOptions)
  const client = {
    ...mapValues(methodsByNoun, (names) => mapValues(names, bind)),
    call: (name: OperationName, input?: Fields, callOptions?: CallOptions) => bind(name)(input, callOptions),
    info: (callOptions?: CallOptions) => bind('info')({}, callOptions),
    run: (id: string = newUuid()) => createRun(options, id),
    tryContext: (input?: SessionStartInput, callOptions?: CallOptions) => tryContext(client, input, callOptions),
    vaultIdOf: (named: string, callOptions: CallOptions = {}) => resolveVaultId(caller, named, callOptions),
    // The table and its types are generated from the same list.
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
