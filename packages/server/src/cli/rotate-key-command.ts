import type { Command } from 'commander'
import { readRootKey, rotatedRecord, rotateRootKey } from '../machine/rotate-root-key.ts'
import { withCaller, type Caller } from './caller.ts'
import { print, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'
import { readAnswer } from './exit-codes.ts'

export function addRotateKeyCommand(program: Command): void {
  const command = program.command('rotate-key').description('replace the root key while the server keeps running')
  withCommonOptions(command)
    .addHelpText(
      'after',
      `
A new key replaces the current one, and every key is wrapped again under it. The
old key is kept next to it for older backups. If the key comes from
HOLDFAST_ROOT_KEY or HOLDFAST_ROOT_KEY_COMMAND, put a new key in front of it and
restart first; before that, this command prints how. If it is interrupted, the
next call or the next start of the server continues.`,
    )
    .action(async (options: CommonOptions) => {
      const target = targetOf(options, { mayCreate: false })
      const found = await withCaller(target, ({ call }) => rotate(call, options))
      const { changed, rootKey, damaged, next } = readAnswer(rotatedRecord, found)
      print(options, found, [
        changed ? 'Root key replaced.' : 'Nothing was changed.',
        '',
        ...table([
          ['Root key', rootKey.origin],
          ['Id', rootKey.id],
          ['In use since', rootKey.since],
        ]),
        ...(damaged > 0
          ? ['', `Wrapped keys that no root key opens (unchanged): ${damaged}. The log names them.`]
          : []),
        '',
        changed ? 'Next:' : 'To replace it:',
        ...next.map((step, at) => `  ${at + 1}. ${step}`),
      ])
    })
  withExamples(command, 'rotate-key')
}

const pollMs = 1_000

/** On a terminal, prints how much is left if it takes longer. */
async function rotate(call: Caller['call'], { json }: CommonOptions) {
  const isShown = json !== true && process.stderr.isTTY
  const timer = isShown ? setInterval(() => void showLeft(call), pollMs) : undefined
  try {
    let found = await call(rotateRootKey, {})
    for (let left = Infinity; ;) {
      const { rootKey } = readAnswer(rotatedRecord, found)
      // A server answers after a batch; call again for the rest.
      if (rootKey.state !== 'unfinished' || rootKey.wrapsLeft >= left) return found
      left = rootKey.wrapsLeft
      found = await call(rotateRootKey, {})
    }
  } finally {
    clearInterval(timer)
  }
}

async function showLeft(call: Caller['call']): Promise<void> {
  const { rootKey } = await call(readRootKey, {}).catch(() => ({ rootKey: null }))
  const { state, wrapsLeft } = (rootKey ?? {}) as { state?: string; wrapsLeft?: number }
  if (state === 'prepared') process.stderr.write('Waiting for other servers to take the new key ...\n')
  if (state === 'unfinished') process.stderr.write(`${wrapsLeft} keys left to wrap ...\n`)
}
