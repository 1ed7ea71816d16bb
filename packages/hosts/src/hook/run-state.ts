import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The state that the hooks of one session share. Each hook is a separate process. It has only ids, no text. */
export interface RunState {
  /** Memories and tasks that the agent has been shown. */
  shown: string[]
  /** Ids of the last recorded turns. */
  turns: { user?: string; assistant?: string }
  /** Whether a hook has reported a problem. */
  hasWarned: boolean
  hasCheckpoint: boolean
  /** When hooks try again after an outage, in milliseconds. */
  awayUntil?: number
}

const maxShown = 500
const keptDays = 7

const emptyState = (): RunState => ({ shown: [], turns: {}, hasWarned: false, hasCheckpoint: false })

/** Reads the state of a session. It is empty if it cannot be read or there is no session id. */
export function readState(sessionId: string | undefined): RunState {
  const path = statePath(sessionId)
  if (path === undefined) return emptyState()
  try {
    return { ...emptyState(), ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<RunState>) }
  } catch {
    return emptyState()
  }
}

/**
 * Saves what this hook changed since it read `base`, and keeps the changes of other hooks, because hooks of one session
 * overlap. If it cannot be saved, the hooks work without it.
 */
export function writeState(sessionId: string | undefined, base: RunState, state: RunState): void {
  const path = statePath(sessionId)
  if (path === undefined) return
  const draft = `${path}.${process.pid}`
  try {
    const merged = mergeChanges(base, state, readState(sessionId))
    // The rename is atomic, so readers see either the old or the new state.
    writeFileSync(draft, JSON.stringify({ ...merged, shown: merged.shown.slice(-maxShown) }), { mode: 0o600 })
    renameSync(draft, path)
  } catch {
    // A full temporary disk must not affect the agent.
    rmSync(draft, { force: true })
  }
}

function mergeChanges(base: RunState, state: RunState, current: RunState): RunState {
  const [before, after] = [new Set(base.shown), new Set(state.shown)]
  const others = current.shown.filter((id) => after.has(id) || !before.has(id))
  return {
    ...current,
    ...changedFields(base, state),
    shown: [...new Set([...others, ...state.shown.filter((id) => !before.has(id))])],
    turns: { ...current.turns, ...changedFields(base.turns, state.turns) },
  }
}

const changedFields = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => (before as Record<string, unknown>)[name] !== value),
  ) as Partial<T>

export function forgetState(sessionId: string | undefined): void {
  const path = statePath(sessionId)
  if (path !== undefined) rmSync(path, { force: true })
}

/** Removes the states of sessions that ended without notice. */
export function sweepOldStates(now: number): void {
  const folder = ownFolder()
  if (folder === undefined) return
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    try {
      if (now - statSync(path).mtimeMs > keptDays * 24 * 3600 * 1000) rmSync(path, { force: true })
    } catch {
      // Another hook has already removed it.
    }
  }
}

function statePath(sessionId: string | undefined): string | undefined {
  if (sessionId === undefined || !/^[\w-]{1,100}$/.test(sessionId)) return undefined
  const folder = ownFolder()
  return folder === undefined ? undefined : join(folder, `${sessionId}.json`)
}

/** Returns this user's state folder, unless another user created it: everyone can write to the temporary folder. */
function ownFolder(): string | undefined {
  try {
    const { uid, username } = userInfo()
    const folder = join(tmpdir(), `holdfast-hooks-${uid < 0 ? username.replaceAll(/\W/g, '-') : uid}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    const isOwn = uid < 0 || (found.uid === uid && (found.mode & 0o077) === 0)
    return found.isDirectory() && isOwn ? folder : undefined
  } catch {
    return undefined
  }
}
