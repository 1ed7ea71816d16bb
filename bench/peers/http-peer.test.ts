import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findReason, openHttpPeer } from './http-peer.ts'

describe('openHttpPeer', () => {
  it('throws with what a program says if it ends before it answers', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'holdfast-peers-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    const args = ['-e', 'throw new RangeError("no disk")']
    const opening = openHttpPeer({
      command: { program: process.execPath, args, env: process.env, logFile: join(cwd, 'log'), cwd },
      url: 'http://127.0.0.1:9',
      healthPath: '/',
      calls: () => expect.fail('It has no connections'),
    })
    await expect(opening).rejects.toThrow('It did not start: RangeError: no disk')
  })
})

describe('findReason', () => {
  it('prefers a line that names an error to what a program says last', () => {
    expect(findReason('Starting\nRuntimeError: no disk\n\nNode.js v24\n')).toBe('RuntimeError: no disk')
    expect(findReason('Starting\n  Goodbye.\n\n')).toBe('Goodbye.')
    expect(findReason('')).toBe('')
  })
})
