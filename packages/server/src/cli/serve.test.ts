import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { describeStart } from './serve.ts'

const config = readConfig({ HOME: '/home/ada', HOLDFAST_PUBLIC_URL: 'https://memory.example/' })

const start = {
  url: 'http://127.0.0.1:8420',
  config,
  rootKeyOrigin: '/keys/1.key',
  setupToken: { token: 'hfs_token', file: '/data/setup-token' },
}

describe('the startup message', () => {
  it('contains the setup link with its token on a terminal', () => {
    const text = describeStart({ ...start, isTerminal: true })
    expect(text).toContain('  https://memory.example/setup#token=hfs_token\n')
    expect(text).toContain('  Dashboard     https://memory.example/\n')
  })

  it('contains no token if it may end up in a log, but says where it is', () => {
    const text = describeStart({ ...start, isTerminal: false })
    expect(text).not.toContain('hfs_')
    expect(text).toMatch(/https:\/\/memory\.example\/setup\n[^]*\/data\/setup-token\n/)
  })

  it('doesn’t mention the setup if there is an owner', () => {
    expect(describeStart({ ...start, setupToken: undefined, isTerminal: true })).not.toMatch(/setup|owner/)
  })
})
