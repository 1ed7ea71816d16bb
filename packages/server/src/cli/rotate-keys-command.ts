import { setTimeout as sleep } from 'node:timers/promises'
import { Argument, type Command } from 'commander'
import type { z } from 'zod'
import { readEncryptionKeys, rotatedRecord, rotateEncryptionKeys } from '../rotation/rotate-keys.ts'
import type { StoredKeys } from '../rotation/stored-keys.ts'
import { commandLineHere } from '../core/program.ts'
import { withCaller, type Caller } from './caller.ts'
import { print, sameInstance, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'

type Keys = 'root' | 'users' | 'vaults'
type Rotated = z.infer<typeof rotatedRecord>

interface Options extends CommonOptions {
  wait: boolean
}

export function addRotateKeysCommand(program: Command): void {
  const command = program
    .command('rotate-keys')
    .description('replace encryption keys while the server keeps running')
    .addArgument(new Argument('[keys]', 'which keys').choices(['root', 'users', 'vaults']).default('root'))
    .option('--no-wait', 'users and vaults: start, or print how far it is, and return')
  withCommonOptions(command)
    .addHelpText(
      'after',
      `
root: a new root key replaces the current one, and every key is wrapped again
under it. The old key is kept next to it for older backups. If the key comes
from HOLDFAST_ROOT_KEY or HOLDFAST_ROOT_KEY_COMMAND, put a new key in front of
it and restart first; before that, this command prints how.

users: each user gets a new key, which takes about five minutes.

vaults: each vault gets a new key, and all content is encrypted again, some
hundred rows per second. The old keys are deleted after sixteen minutes or more.

If something is damaged, the command names where, and ends with exit code 1
once all other keys are replaced.

If a rotation is interrupted, the next start of the server continues it.`,
    )
    .action(async (keys: Keys, options: Options) => {
      const target = targetOf(options, { mayCreate: false })
      const { found, isServer } = await withCaller(target, async (caller) => ({
        found: keys === 'root' ? await rotateRoot(caller.call, options) : await rotateStored(caller, keys, options),
        isServer: caller.isServer,
      }))
      const rotated = readAnswer(rotatedRecord, found)
      print(
        options,
        found,
        keys === 'root' ? describeRoot(rotated) : describeStored(keys, rotated, isServer, sameInstance(options)),
      )
      if (keys !== 'root' && options.wait) refuseStuck(keys, rotated.storedKeys)
    })
  withExamples(command, 'rotate-keys', 'rotate-keys vaults')
}

function describeRoot({ changed, rootKey, damaged, next }: Rotated): string[] {
  return [
    changed ? 'Root key replaced.' : 'Nothing was changed.',
    '',
    ...table([
      ['Root key', rootKey.origin],
      ['Id', rootKey.id],
      ['In use since', rootKey.since],
    ]),
    ...(damaged > 0 ? ['', `Wrapped keys that no root key opens (unchanged): ${damaged}. The log names them.`] : []),
    '',
    changed ? 'Next:' : 'To replace it:',
    ...next.map((step, at) => `  ${at + 1}. ${step}`),
  ]
}

export function describeStored(
  keys: 'users' | 'vaults',
  { changed, storedKeys, next }: Pick<Rotated, 'changed' | 'storedKeys' | 'next'>,
  isServer: boolean,
  instance = '',
): string[] {
  const rest = isServer
    ? `${next.join(' ')} To see how far it is, run this again.`
    : `The rotation has begun. It continues while a server runs: ${commandLineHere} serve${instance}`
  const { users, vaults } = storedKeys
  const { askedAt, left } = storedKeys[keys]
  const done = changed
    ? `The keys of all ${keys} were replaced.`
    : `This command replaced nothing: the rotation that began at ${askedAt} has replaced these keys. Another one can begin ten minutes after it.`
  const first = left === 0 ? done : rest
  if (keys === 'users')
    return [
      first,
      '',
      ...table([
        ['Left', `${users.left} of ${users.total}`],
        ...(users.stuck > 0 ? ([['Damaged', String(users.stuck)]] as const) : []),
      ]),
    ]
  return [
    first,
    '',
    ...table([
      ['Left', `${vaults.left} of ${vaults.total}`],
      ...(vaults.rowsTotal === 0 ? [] : ([['Rows done', `${vaults.rowsDone} of ${vaults.rowsTotal}`]] as const)),
      ...(vaults.stuck > 0 ? ([['Damaged', String(vaults.stuck)]] as const) : []),
    ]),
  ]
}

const usualPollMs = 1_000

/** On a terminal, prints how much is left if it takes longer. */
async function rotateRoot(call: Caller['call'], { json }: Options) {
  const isShown = json !== true && process.stderr.isTTY
  const timer = isShown ? setInterval(() => void showLeft(call), usualPollMs) : undefined
  try {
    let found = await call(rotateEncryptionKeys, { keys: 'root' })
    for (let left = Infinity; ;) {
      const { rootKey } = readAnswer(rotatedRecord, found)
      // A server answers after a batch; call again for the rest.
      if (rootKey.state !== 'unfinished' || rootKey.wrapsLeft >= left) return found
      left = rootKey.wrapsLeft
      found = await call(rotateEncryptionKeys, { keys: 'root' })
    }
  } finally {
    clearInterval(timer)
  }
}

async function showLeft(call: Caller['call']): Promise<void> {
  const { rootKey } = await call(readEncryptionKeys, {}).catch(() => ({ rootKey: null }))
  const { state, wrapsLeft } = (rootKey ?? {}) as { state?: string; wrapsLeft?: number }
  if (state === 'prepared') process.stderr.write('Waiting for other servers to take the new key ...\n')
  if (state === 'unfinished') process.stderr.write(`${wrapsLeft} keys left to wrap ...\n`)
}

/** Waits until nothing is left that can be done, if there is a server to do the work. */
export async function rotateStored(
  { call, isServer }: Pick<Caller, 'call' | 'isServer'>,
  keys: 'users' | 'vaults',
  { json, wait }: Pick<Options, 'json' | 'wait'>,
  { pollMs = usualPollMs } = {},
) {
  const found = await call(rotateEncryptionKeys, { keys })
  let shown = ''
  for (let { storedKeys } = readAnswer(rotatedRecord, found); ;) {
    const line = describeProgress(keys, storedKeys)
    if (json !== true && process.stderr.isTTY && line !== shown) process.stderr.write(`${line}\n`)
    shown = line
    const { left, stuck } = storedKeys[keys]
    if (!wait || !isServer || left === stuck) return { ...found, storedKeys }
    await sleep(pollMs)
    storedKeys = ((await call(readEncryptionKeys, {})) as { storedKeys: StoredKeys }).storedKeys
  }
}

/** Throws if some keys can't be replaced. The others are. */
export function refuseStuck(keys: 'users' | 'vaults', { users, vaults }: StoredKeys): void {
  const names = {
    users: users.stuckUserIds.map((id) => `user ${id}`),
    vaults: vaults.stuckScopes.map(({ userId, vaultId }) => (vaultId === null ? `user ${userId}` : `vault ${vaultId}`)),
  }[keys]
  if (names.length === 0) return
  throw new CommandError(
    exitCodes.failure,
    `Some keys can't be replaced, because something that they need is damaged: ${names.join(', ')}.`,
    keys === 'users'
      ? '`holdfast rotate-keys vaults` names the vaults with damaged keys. Delete them, or restore a backup. Then run this command again.'
      : 'The server’s log names what is damaged. Restore a backup, or delete these records or vaults (`DELETE /api/memories`, `POST /api/notes/erase`, `DELETE /api/vaults` with the vault’s id as its name). Then run this command again.',
  )
}

function describeProgress(keys: 'users' | 'vaults', { users, vaults }: StoredKeys): string {
  if (keys === 'users') return `${users.left} of ${users.total} keys left ...`
  const [first] = vaults.changing
  const steps = {
    announced: 'the new keys are in use from',
    sealing: '',
    kept: 'the old keys are deleted from',
  }
  const next = first?.nextStepAt == null ? '' : `; ${steps[first.step]} ${first.nextStepAt}`
  // They are counted once the new keys are in use.
  const rows = vaults.rowsTotal === 0 ? '' : `, ${vaults.rowsDone} of ${vaults.rowsTotal} rows done`
  return `${vaults.left} of ${vaults.total} keys left${rows}${next} ...`
}
