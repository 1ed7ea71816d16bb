import type { Command } from 'commander'
import { readRootKey, rotatedRecord, rotateRootKey } from '../machine/rotate-root-key.ts'
import { withCaller, type Caller } from './caller.ts'
import { print, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'
import { readAnswer } from './exit-codes.ts'

export function addRotateKeyCommand(program: Command): void {
  const command = program.command('rotate-key').description('change the root key, while everything goes on')
  withCommonOptions(command)
    .addHelpText(
      'after',
      `
A new key takes the place of the one in use, and every key that it wraps is
wrapped anew. The former key is kept beside it for backups from before. Where
HOLDFAST_ROOT_KEY or HOLDFAST_ROOT_KEY_COMMAND gives the key, put a new one in
front of it first, and restart; called before that, it says how. What was cut
short goes on with the next call, or at the next start of the server.`,
    )
    .action(async (options: CommonOptions) => {
      const target = targetOf(options, { mayCreate: false })
      const found = await withCaller(target, ({ call }) => rotate(call, options))
      const { changed, rootKey, damaged, next } = readAnswer(rotatedRecord, found)
      print(options, found, [
        changed ? 'The root key is changed.' : 'Nothing was changed.',
        '',
        ...table([
          ['Root key', rootKey.origin],
          ['Id', rootKey.id],
          ['In use since', rootKey.since],
        ]),
        ...(damaged > 0
          ? ['', `Wrapped keys that no key opens, left as they are: ${damaged}. The log names them.`]
          : []),
        '',
        changed ? 'Now:' : 'To change it:',
        ...next.map((step, at) => `  ${at + 1}. ${step}`),
      ])
    })
  withExamples(command, 'rotate-key')
}

const lookMs = 1_000

/** Says on a terminal how much is left, where it takes longer. */
async function rotate(call: Caller['call'], { json }: CommonOptions) {
  const isShown = json !== true && process.stderr.isTTY
  const timer = isShown ? setInterval(() => void showLeft(call), lookMs) : undefined
  try {
    let found = await call(rotateRootKey, {})
    for (let left = Infinity; ;) {
      const { rootKey } = readAnswer(rotatedRecord, found)
      // A server answers before it has done very many.
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
  if (state === 'unfinished') process.stderr.write(`${wrapsLeft} keys left to wrap anew ...\n`)
}
