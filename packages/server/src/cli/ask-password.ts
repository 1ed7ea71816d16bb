import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError, exitCodes } from './exit-codes.ts'

/** One line of stdin with `--password-stdin`; else asked for on the terminal, twice and unseen. Never an argument: those show in process lists. */
export async function readPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) return readLine()
  if (!process.stdin.isTTY)
    throw new CommandError(
      exitCodes.usage,
      'No password: there is no terminal to ask on.',
      'Give it with --password-stdin, as in: printf \'%s\\n\' "$PASSWORD" | holdfast … --password-stdin',
    )
  const first = await ask('Password: ')
  if ((await ask('Again: ')) !== first) throw new CommandError(exitCodes.usage, 'The two passwords differ.')
  return first
}

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  for await (const line of lines) {
    lines.close()
    if (line !== '') return line
    break
  }
  throw new CommandError(exitCodes.usage, 'No password came on stdin.')
}

function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  return new Promise((resolve, reject) => {
    const end = () => {
      terminal.close()
      process.stderr.write('\n')
    }
    terminal.question('', (answer) => {
      end()
      resolve(answer)
    })
    terminal.on('SIGINT', () => {
      end()
      reject(new CommandError(exitCodes.failure, 'Stopped.'))
    })
  })
}
