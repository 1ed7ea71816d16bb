import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** What the hooks of one session tell each other, each being a process of its own. Ids alone, nothing that anybody wrote. */
export interface RunState {
  /** Memories and tasks that the agent has been shown. */
  shown: string[]
  /** Turns that were handed in, the last of each side. */
  turns: { user?: string; assistant?: string }
  /** Whether somebody was told that memory is away. */
  hasWarned: boolean
  hasCheckpoint: boolean
  /** When hooks ask again, after the service was away; milliseconds. */
  awayUntil?: number
}

const maxShown = 500
const keptDays = 7

const emptyState = (): RunState => ({ shown: [], turns: {}, hasWarned: false, hasCheckpoint: false })

/** The state of a session; one that cannot be read, or is nobody's, is empty. */
export function readState(sessionId: string | undefined): RunState {
  const path = pathOf(sessionId)
  if (path === undefined) return emptyState()
  try {
    return { ...emptyState(), ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<RunState>) }
  } catch {
    return emptyState()
  }
}

/**
 * Keeps what this hook changed since it read `base`, beside what others wrote meanwhile: hooks of one session overlap. Where it
 * cannot be kept, the hooks do without.
 */
export function writeState(sessionId: string | undefined, base: RunState, state: RunState): void {
  const path = pathOf(sessionId)
  if (path === undefined) return
  const draft = `${path}.${process.pid}`
  try {
    const merged = mergeChanges(base, state, readState(sessionId))
    // Whoever reads meanwhile reads the one or the other, whole.
    writeFileSync(draft, JSON.stringify({ ...merged, shown: merged.shown.slice(-maxShown) }), { mode: 0o600 })
    renameSync(draft, path)
  } catch {
    // A full disk of temporary files is no matter of the agent's.
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
  const path = pathOf(sessionId)
  if (path !== undefined) rmSync(path, { force: true })
}

/** Of sessions that ended without saying so. */
export function sweepOldStates(now: number): void {
  const folder = ownFolder()
  if (folder === undefined) return
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    try {
      if (now - statSync(path).mtimeMs > keptDays * 24 * 3600 * 1000) rmSync(path, { force: true })
    } catch {
      // Another hook was quicker.
    }
  }
}

function pathOf(sessionId: string | undefined): string | undefined {
  if (sessionId === undefined || !/^[\w-]{1,100}$/.test(sessionId)) return undefined
  const folder = ownFolder()
  return folder === undefined ? undefined : join(folder, `${sessionId}.json`)
}

/** Everybody may write to the folder above: one that another user has put in this one's place is not used. */
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
