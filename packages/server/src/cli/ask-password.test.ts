import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { ask } from './ask-password.ts'
import { CommandError } from './exit-codes.ts'

function answerWith(keys: string): Promise<string> {
  const input = new PassThrough()
  const answer = ask('Password: ', input)
  input.write(keys)
  return answer
}

it('reads the typed line, with its spaces', async () => {
  expect(await answerWith(' violets under a wet stone \r')).toBe(' violets under a wet stone ')
})

it.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C after some characters', 'viol\u0003'],
])('stops at %s', async (_name, keys) => {
  await expect(answerWith(keys)).rejects.toThrow(CommandError)
})

it('stops when the terminal is closed', async () => {
  const input = new PassThrough()
  const answer = ask('Password: ', input)
  input.end()
  await expect(answer).rejects.toThrow('Stopped.')
})
