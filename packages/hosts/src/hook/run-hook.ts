import { ConnectionError, createClient, HoldfastError, nameLine, UnavailableError } from '@holdfast/client'
import { ProjectFileError, type HookName } from '../project-file.ts'
import { beginSession, captureTurn, endSession, recallForPrompt, saveCheckpoint, type HookCall } from './events.ts'
import { readHostInput, type HostInput } from './host-input.ts'
import { forgetState, readState, writeState, type RunState } from './run-state.ts'
import { readHookSettings, type HookSettings } from './settings.ts'

interface HookEvent {
  name: HookName
  /** As most hosts call it; one that says its own name hears that. */
  eventName: string
  budgetMs: number
  run(call: HookCall): Promise<string>
}

/** What `holdfast hook <event>` knows. */
export const hookEvents: Readonly<Record<string, HookEvent>> = {
  'session-start': { name: 'sessionStart', eventName: 'SessionStart', budgetMs: 2000, run: beginSession },
  prompt: { name: 'prompt', eventName: 'UserPromptSubmit', budgetMs: 800, run: recallForPrompt },
  turn: { name: 'turn', eventName: 'Stop', budgetMs: 4000, run: captureTurn },
  checkpoint: { name: 'checkpoint', eventName: 'PreCompact', budgetMs: 10_000, run: saveCheckpoint },
  end: { name: 'end', eventName: 'SessionEnd', budgetMs: 5000, run: endSession },
}

/** Whether the command line is to run a hook; anything else under that name is a question about it. */
export const isHookCall = ([command, event = '']: readonly string[]) =>
  command === 'hook' && Object.hasOwn(hookEvents, event)

export interface HookProcess {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  env: Readonly<Record<string, string | undefined>>
  exit(code: number): void
}

// For what is left to do when time is up: a line on stderr, the state.
const hardStopMs = 500

// After the service was away, what comes often, or as the agent ends, is not held up by it for a while.
const awayMs = 30_000
const waits: ReadonlySet<HookName> = new Set(['sessionStart', 'checkpoint'])

/**
 * Runs one hook of a host. It never rejects and tells nothing in its exit code: hosts take some codes as an order to stop
 * the agent, and memory that is away must cost the agent nothing. What is wrong is said on stderr, once a session. Its time
 * runs from the call on, with what the host takes to say what happened.
 */
export async function runHook(args: readonly string[], host: HookProcess): Promise<void> {
  const [event = ''] = args
  // A host that has stopped listening is none of the hook's business.
  host.stdout.on('error', () => {})
  const hook = Object.hasOwn(hookEvents, event) ? hookEvents[event] : undefined
  if (hook === undefined) return say(host, `there is no hook ${event}; they are ${Object.keys(hookEvents).join(', ')}`)
  // Whatever still goes on by then, such as a connection that does not close. Nothing waits for it.
  setTimeout(() => host.exit(0), hook.budgetMs + hardStopMs).unref()
  const signal = AbortSignal.timeout(hook.budgetMs)
  const input = await readHostInput(host.stdin, signal)
  const base = readState(input.sessionId)
  const state = structuredClone(base)
  try {
    const cwd = input.cwd ?? process.cwd()
    const settings = readHookSettings(hook.name, host.env, cwd)
    if (settings === undefined) return
    const text = await callService(hook, { input, state, settings, cwd, signal })
    if (text !== '') host.stdout.write(`${JSON.stringify(answerOf(input.eventName ?? hook.eventName, text))}\n`)
  } catch (error) {
    warnOnce(host, state, error)
  }
  if (event === 'end') forgetState(input.sessionId)
  else writeState(input.sessionId, base, state)
}

const answerOf = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
})

interface Call {
  input: HostInput
  state: RunState
  settings: HookSettings
  cwd: string
  signal: AbortSignal
}

class SetUpError extends Error {}

async function callService(hook: HookEvent, { input, state, settings, cwd, signal }: Call): Promise<string> {
  const { url, key, vault } = settings
  if (signal.aborted) throw new SetUpError(`the program took more than ${hook.budgetMs / 1000} s to say what happened`)
  if (key === undefined) throw new SetUpError('HOLDFAST_KEY is not set')
  const now = new Date()
  if (!waits.has(hook.name) && now.getTime() < (state.awayUntil ?? 0)) return ''
  const client = createClient({ url, key, vault, agentRunId: input.sessionId, maxRetries: 0, timeoutMs: hook.budgetMs })
  try {
    return await hook.run({ client, input, state, settings, cwd, signal, now })
  } catch (error) {
    const isAway = signal.aborted || error instanceof ConnectionError || error instanceof UnavailableError
    if (isAway) state.awayUntil = now.getTime() + awayMs
    throw signal.aborted ? new SetUpError(`no answer from ${url} in ${hook.budgetMs / 1000} s`) : error
  }
}

function warnOnce(host: HookProcess, state: RunState, error: unknown): void {
  if (state.hasWarned) return
  state.hasWarned = true
  const isKnown = [HoldfastError, SetUpError, ProjectFileError].some((known) => error instanceof known)
  say(
    host,
    `${isKnown ? (error as Error).message.replace(/\.$/, '') : 'something went wrong'}; this session goes on without memory`,
  )
}

const say = (host: HookProcess, text: string) => void host.stderr.write(`Holdfast: ${nameLine(text)}.\n`)
