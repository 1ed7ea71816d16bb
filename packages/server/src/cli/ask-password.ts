import { createInterface } from 'node:readline'
import { Writable, type Readable } from 'node:stream'
import { commandLineHere } from '../core/program.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** Reads one line of stdin with `--password-stdin`; otherwise asks twice on the terminal, without echo. Never an argument: process lists show those. */
export async function readPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) return readLine('password')
  if (!process.stdin.isTTY)
    throw new CommandError(
      exitCodes.usage,
      'No password given, and there is no terminal to ask on.',
      `Use --password-stdin, for example: printf '%s\\n' "$PASSWORD" | ${commandLineHere} … --password-stdin`,
    )
  const first = await ask('Password: ')
  if ((await ask('Repeat it: ')) !== first) throw new CommandError(exitCodes.usage, 'The passwords do not match.')
  return first
}

/** The first line of stdin. */
export async function readLine(what: 'password' | 'passphrase'): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  for await (const line of lines) {
    lines.close()
    if (line !== '') return line
    break
  }
  throw new CommandError(exitCodes.usage, `No ${what} on stdin.`, `Give it on the first line, with --${what}-stdin.`)
}

/** Throws a CommandError if the terminal closes without an answer: on Ctrl-C, on Ctrl-D, or when it disconnects. */
export function ask(question: string, input: Readable = process.stdin): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input, output: silent, terminal: true })
  return new Promise((resolve, reject) => {
    terminal.question('', (answer) => {
      resolve(answer)
      terminal.close()
    })
    terminal.on('SIGINT', () => terminal.close())
    terminal.on('close', () => {
      process.stderr.write('\n')
      reject(new CommandError(exitCodes.failure, 'Stopped.'))
    })
  })
}
