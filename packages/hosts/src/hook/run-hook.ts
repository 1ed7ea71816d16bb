import { ConnectionError, createClient, HoldfastError, nameLine, UnavailableError } from '@holdfast/client'
import { ProjectFileError, type HookName } from '../project-file.ts'
import { beginSession, captureTurn, endSession, recallForPrompt, saveCheckpoint, type HookCall } from './events.ts'
import { readHostInput, type HostInput } from './host-input.ts'
import { forgetState, readState, writeState, type RunState } from './run-state.ts'
import { readHookSettings, type HookSettings } from './settings.ts'

interface HookEvent {
  name: HookName
  /** The name that most hosts use. If the host sends its own name, the answer repeats that.  */
  eventName: string
  budgetMs: number
  run(call: HookCall): Promise<string>
}

/** The events of `holdfast hook <event>`. */
export const hookEvents: Readonly<Record<string, HookEvent>> = {
  'session-start': { name: 'sessionStart', eventName: 'SessionStart', budgetMs: 2000, run: beginSession },
  prompt: { name: 'prompt', eventName: 'UserPromptSubmit', budgetMs: 800, run: recallForPrompt },
  turn: { name: 'turn', eventName: 'Stop', budgetMs: 4000, run: captureTurn },
  checkpoint: { name: 'checkpoint', eventName: 'PreCompact', budgetMs: 10_000, run: saveCheckpoint },
  end: { name: 'end', eventName: 'SessionEnd', budgetMs: 5000, run: endSession },
}

/** Whether the arguments run a hook. Anything else, such as `hook --help`, goes to the command line. */
export const isHookCall = ([command, event = '']: readonly string[]) =>
  command === 'hook' && Object.hasOwn(hookEvents, event)

export interface HookProcess {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  env: Readonly<Record<string, string | undefined>>
  exit(code: number): void
}

// Extra time after the budget, to write the warning and the state.
const hardStopMs = 500

// While the server is down, the hooks that run often or at the end do not wait for it.
const awayMs = 30_000
const hooksThatAlwaysTry: ReadonlySet<HookName> = new Set(['sessionStart', 'checkpoint'])

/**
 * Runs one hook. It never rejects and always exits with 0, because hosts treat some exit codes as a request to stop the
 * agent, and an outage must not affect the agent. It reports problems on stderr, once per session. The time limit includes
 * the time that the host needs to send its input.
 */
export async function runHook(args: readonly string[], host: HookProcess): Promise<void> {
  const [event = ''] = args
  // Ignore a host that has stopped reading.
  host.stdout.on('error', () => {})
  const hook = Object.hasOwn(hookEvents, event) ? hookEvents[event] : undefined
  if (hook === undefined) return say(host, `unknown hook ${event}. Known hooks: ${Object.keys(hookEvents).join(', ')}`)
  // Ends anything that is still running, such as a connection that does not close.
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
    if (text !== '') host.stdout.write(`${JSON.stringify(buildAnswer(input.eventName ?? hook.eventName, text))}\n`)
  } catch (error) {
    warnOnce(host, state, error)
  }
  if (event === 'end') forgetState(input.sessionId)
  else writeState(input.sessionId, base, state)
}

const buildAnswer = (hookEventName: string, additionalContext: string) => ({
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
  if (signal.aborted) throw new SetUpError(`the client took more than ${hook.budgetMs / 1000} s to send its input`)
  if (key === undefined) throw new SetUpError('HOLDFAST_KEY is not set')
  const now = new Date()
  if (!hooksThatAlwaysTry.has(hook.name) && now.getTime() < (state.awayUntil ?? 0)) return ''
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
    `${isKnown ? (error as Error).message.replace(/\.$/, '') : 'internal error'}. This session continues without memory`,
  )
}

const say = (host: HookProcess, text: string) => void host.stderr.write(`Holdfast: ${nameLine(text)}.\n`)
