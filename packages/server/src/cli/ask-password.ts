import { createInterface } from 'node:readline'
import { Writable, type Readable } from 'node:stream'
import { commandLine } from '../core/program.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** One line of stdin with `--password-stdin`; else asked for on the terminal, twice and unseen. Never an argument: those show in process lists. */
export async function readPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) return readLine('password')
  if (!process.stdin.isTTY)
    throw new CommandError(
      exitCodes.usage,
      'No password: there is no terminal to ask on.',
      `Give it with --password-stdin, as in: printf '%s\\n' "$PASSWORD" | ${commandLine} … --password-stdin`,
    )
  const first = await ask('Password: ')
  if ((await ask('Again: ')) !== first) throw new CommandError(exitCodes.usage, 'The two passwords differ.')
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
  throw new CommandError(exitCodes.usage, `No ${what} came on stdin.`)
}

/** Throws a CommandError where the terminal is closed without an answer: by Ctrl-C, Ctrl-D, or because it went away. */
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
