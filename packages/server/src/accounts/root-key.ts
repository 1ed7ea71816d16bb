import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { conflict } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import { KeyWrapError } from '../crypto/keys.ts'
import { isFileSource } from '../instance/root-key-source.ts'
import { readRootKeyState, readRootKeyUse } from '../instance/root-key-store.ts'
import { prepareRootKey, retireRootKey, switchRootKey } from '../instance/root-key-steps.ts'
import { countWrapsUnder, listWrapsUnder, replaceWraps, type WrappedMek } from '../instance/wrap-store.ts'
import type { Services } from '../operation/context.ts'

export const rootKeyRecord = z.looseObject({
  id: z.string().describe('Names the key that wraps, and tells nothing about it.'),
  origin: z.string().describe('The file or setting that it came from.'),
  isFile: z.boolean().describe('Whether it lies in a file that the server makes; else it is given by a setting.'),
  since: z.string().describe('When it came into use.'),
  state: z
    .enum(['settled', 'prepared', 'unfinished'])
    .describe('prepared: a new key lies beside it; unfinished: some is still wrapped under the one before.'),
  wrapsLeft: z.int().describe('Keys of users and agents that are still wrapped under the one before.'),
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
  /** Where the key before is kept, if it lay in a file. */
  formerKeyFile: string | undefined
  /** Wraps that the key before does not open either: they stay as they are. */
  damaged: number
  /** What is left to do for whoever runs the server. */
  next: string[]
}

type Deps = Pick<Services, 'db' | 'instance' | 'keyring' | 'log' | 'now'>

/** Changes the root key, or goes on with a change that was cut short. Everything can be read and written meanwhile. */
export async function changeRootKey(deps: Deps): Promise<RootKeyChange> {
  const prepared = await prepareRootKey(deps)
  if (prepared === 'rested' || prepared === 'not-given') return notChanged(deps, prepared)
  if (prepared === 'prepared') await switchWithServers(deps)
  const { isFinished, formerKeyFile, damaged } = await finishRootKey(deps, { signal: AbortSignal.timeout(mostMs) })
  const next = isFinished
    ? whatIsLeft(deps, formerKeyFile)
    : ['Not all is wrapped under the new key yet: call this again.']
  return { changed: true, formerKeyFile, damaged, next }
}

/** Then it answers, before whoever waits gives up. */
const mostMs = 25_000

/** Wraps anew what is left, and retires the former key. May be called at any time, and cut short at any. */
export async function finishRootKey(
  deps: Deps,
  { signal, done }: { signal?: AbortSignal; done?: (items: number) => void } = {},
): Promise<Pick<RootKeyChange, 'formerKeyFile' | 'damaged'> & { isFinished: boolean }> {
  const { current, former } = await readRootKeyState(deps.db.read)
  const rootKey = deps.instance.rootKeys.byId.get(current)
  let damaged = 0
  if (former === undefined) return { isFinished: true, formerKeyFile: undefined, damaged }
  if (rootKey === undefined)
    throw conflict('This server does not have the new root key: give it that key, and restart it.')
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
    // Whoever it belongs to cannot open it now, either.
    log.error('a wrapped key is damaged and stays as it is', {
      userId: seen.userId,
      ...(seen.holder === 'integration' && { integrationId: seen.id }),
      error,
    })
    return undefined
  }
}

/** They look into their files every few seconds. */
const serversWaitMs = 15_000
const lookMs = 500

async function switchWithServers(deps: Deps): Promise<void> {
  const giveUpAt = performance.now() + serversWaitMs
  for (;;) {
    const lacking = await switchRootKey(deps)
    if (lacking.length === 0) return
    if (performance.now() > giveUpAt) throw lacksKey(deps, lacking)
    await pause(lookMs)
  }
}

const lacksKey = ({ instance }: Deps, names: readonly string[]) =>
  conflict(
    `Other servers of this database do not have the new key yet: ${names.join(', ')}. ` +
      (isFileSource(instance.rootKeySource)
        ? `Copy ${instance.rootKeyOrigin} to their HOLDFAST_KEY_DIR, or give them both keys as their setting has it and restart them. Then call this again.`
        : 'Give them both keys, the new one first, and restart them. Then call this again.') +
      ' Until then the former key stays in use. A server that was cut off counts for a minute more.',
  )

async function notChanged({ db, instance }: Deps, why: 'rested' | 'not-given'): Promise<RootKeyChange> {
  const { since } = await readRootKeyState(db.read)
  const next =
    why === 'rested'
      ? [`It was changed at ${isoTime(since)}, less than ten minutes ago. For yet another key call this again later.`]
      : [
          `Make a key: openssl rand -base64 32`,
          `Put it in front of the present one in ${instance.rootKeyOrigin}, with a comma between them, on every server of this database.`,
          'Restart the server, and call this again.',
        ]
  return { changed: false, formerKeyFile: undefined, damaged: 0, next }
}

const whatIsLeft = ({ instance }: Deps, formerKeyFile: string | undefined): string[] => [
  ...(isFileSource(instance.rootKeySource)
    ? [`Copy the key anew to where you keep it, away from the backups: ${instance.rootKeyOrigin}`]
    : [
        `Take the former key out of ${instance.rootKeyOrigin}, on every server, and restart. The new one must be kept elsewhere as well.`,
      ]),
  formerKeyFile === undefined
    ? 'Keep the former key as long as there are backups from before: they open with it alone.'
    : `Keep the former key as long as there are backups from before, which open with it alone: ${formerKeyFile}`,
]
