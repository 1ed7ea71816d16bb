import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { conflict } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import { KeyWrapError } from '../crypto/keys.ts'
import { isFileSource } from '../instance/root-key-source.ts'
import { prepareRootKey, retireRootKey, switchRootKey } from '../instance/root-key-steps.ts'
import { readRootKeyState, readRootKeyUse } from '../instance/root-key-store.ts'
import { countWrapsUnder, listWrapsUnder, replaceWraps, type WrappedMek } from '../instance/wrap-store.ts'
import type { Services } from '../operation/context.ts'

export const rootKeyRecord = z.looseObject({
  id: z.string().describe('Identifies the key in use without revealing anything about it.'),
  origin: z.string().describe('The file or setting that it was read from.'),
  isFile: z.boolean().describe('Whether it is in a file that the server manages; otherwise a setting provides it.'),
  since: z.string().describe('Since when it is in use.'),
  state: z
    .enum(['settled', 'prepared', 'unfinished'])
    .describe(
      'prepared: a new key is ready but not in use yet; unfinished: some keys are still wrapped under the previous one.',
    ),
  wrapsLeft: z.int().describe('How many keys of users and agents are still wrapped under the previous root key.'),
})

export const exampleRootKey: z.infer<typeof rootKeyRecord> = {
  id: '9f2c41d07be6a853',
  origin: '/etc/holdfast/0198c5f0-0000-7000-8000-0000000000ff.key',
  isFile: true,
  since: '2026-11-22T09:00:00.000Z',
  state: 'settled',
  wrapsLeft: 0,
}

export async function describeRootKey({
  db,
  instance,
}: Pick<Services, 'db' | 'instance'>): Promise<z.infer<typeof rootKeyRecord>> {
  const { current, former } = await readRootKeyState(db.read)
  const { since, state } = await readRootKeyUse(db.read, instance)
  return {
    id: current,
    origin: instance.rootKeyOrigin,
    isFile: isFileSource(instance.rootKeySource),
    since: isoTime(since),
    state,
    wrapsLeft: former === undefined ? 0 : await countWrapsUnder(db.read, former),
  }
}

interface RootKeyChange {
  changed: boolean
  /** Where the previous key is kept, if it was in a file. */
  formerKeyFile: string | undefined
  /** Wrapped keys that the previous key doesn't open either. They stay unchanged. */
  damaged: number
  /** What the operator still has to do. */
  next: string[]
}

type Deps = Pick<Services, 'db' | 'instance' | 'keyring' | 'log' | 'now'>

/** Rotates the root key, or continues an interrupted rotation. Reads and writes keep working. */
export async function changeRootKey(deps: Deps): Promise<RootKeyChange> {
  const prepared = await prepareRootKey(deps)
  if (prepared === 'rested' || prepared === 'not-given') return describeUnchanged(deps, prepared)
  if (prepared === 'prepared') await switchWithServers(deps)
  const { isFinished, formerKeyFile, damaged } = await finishRootKey(deps, { signal: AbortSignal.timeout(maxMs) })
  const next = isFinished
    ? listNextSteps(deps, formerKeyFile)
    : ['Some keys are not wrapped under the new key yet. Call this again.']
  return { changed: true, formerKeyFile, damaged, next }
}

/** Limits one call, so it answers before the caller's request times out. */
const maxMs = 25_000

/** Rewraps the remaining keys and retires the previous root key. Safe to call, and to interrupt, at any time. */
export async function finishRootKey(
  deps: Deps,
  { signal, done }: { signal?: AbortSignal; done?: (items: number) => void } = {},
): Promise<Pick<RootKeyChange, 'formerKeyFile' | 'damaged'> & { isFinished: boolean }> {
  const { current, former } = await readRootKeyState(deps.db.read)
  const rootKey = deps.instance.rootKeys.byId.get(current)
  let damaged = 0
  if (former === undefined) return { isFinished: true, formerKeyFile: undefined, damaged }
  if (rootKey === undefined)
    throw conflict('This server does not have the new root key. Configure that key and restart the server.')
  for await (const page of listWrapsUnder(deps.db.read, former)) {
    const wraps = page.flatMap((seen) => {
      const wrappedMek = rewrap(deps, seen, rootKey)
      return wrappedMek === undefined ? [] : [{ seen, wrappedMek }]
    })
    await replaceWraps(deps.db, wraps)
    damaged += page.length - wraps.length
    done?.(wraps.length)
    if (signal?.aborted === true) return { isFinished: false, formerKeyFile: undefined, damaged }
  }
  return { isFinished: true, formerKeyFile: await retireRootKey(deps), damaged }
}

function rewrap({ keyring, log }: Deps, seen: WrappedMek, rootKey: Parameters<Deps['keyring']['rewrapMek']>[1]) {
  try {
    return keyring.rewrapMek(seen, rootKey)
  } catch (error) {
    if (!(error instanceof KeyWrapError)) throw error
    // Its owner can't open it now either.
    log.error('a wrapped key is damaged and stays unchanged', {
      userId: seen.userId,
      ...(seen.holder === 'integration' && { integrationId: seen.id }),
      error,
    })
    return undefined
  }
}

/** Servers reread their key files every few seconds. */
const serversWaitMs = 15_000
const pollMs = 500

async function switchWithServers(deps: Deps): Promise<void> {
  const giveUpAt = performance.now() + serversWaitMs
  for (;;) {
    const lacking = await switchRootKey(deps)
    if (lacking.length === 0) return
    if (performance.now() > giveUpAt) throw lacksKey(deps, lacking)
    await pause(pollMs)
  }
}

const lacksKey = ({ instance }: Deps, names: readonly string[]) =>
  conflict(
    `Other servers on this database do not have the new key yet: ${names.join(', ')}. ` +
      (isFileSource(instance.rootKeySource)
        ? `Copy ${instance.rootKeyOrigin} to their HOLDFAST_KEY_DIR, or add the new key to their setting and restart them. Then call this again.`
        : 'Configure both keys on them, the new one first, and restart them. Then call this again.') +
      ' Until then the previous key stays in use. A server that stopped without notice still counts for one minute.',
  )

async function describeUnchanged({ db, instance }: Deps, why: 'rested' | 'not-given'): Promise<RootKeyChange> {
  const { since } = await readRootKeyState(db.read)
  const next =
    why === 'rested'
      ? [
          `The root key was changed at ${isoTime(since)}, less than ten minutes ago. Wait ten minutes before you change it again.`,
        ]
      : [
          `Create a key: openssl rand -base64 32`,
          `Put it before the current key in ${instance.rootKeyOrigin}, separated by a comma, on every server of this database.`,
          'Restart the server and call this again.',
        ]
  return { changed: false, formerKeyFile: undefined, damaged: 0, next }
}

const listNextSteps = ({ instance }: Deps, formerKeyFile: string | undefined): string[] => [
  ...(isFileSource(instance.rootKeySource)
    ? [`Copy the new key to where you keep it, away from the backups: ${instance.rootKeyOrigin}`]
    : [
        `Remove the previous key from ${instance.rootKeyOrigin} on every server, and restart. Keep a copy of the new key elsewhere.`,
      ]),
  formerKeyFile === undefined
    ? 'Keep the previous key as long as you have backups from before the change. Only this key opens them.'
    : `Keep the previous key as long as you have backups from before the change. Only this key opens them: ${formerKeyFile}`,
]
