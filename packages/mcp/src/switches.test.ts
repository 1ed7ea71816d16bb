import { describe, expect, it } from 'vitest'
import { noSwitches, readSwitches } from './switches.ts'

const read = (query: string, headers: Record<string, string> = {}) =>
  readSwitches(new URLSearchParams(query), (name) => headers[name])

describe('switches', () => {
  it('are off by default', () => {
    expect(read('')).toEqual(noSwitches)
    expect(read('vault=&tools=&readonly=0')).toEqual(noSwitches)
  })

  it('come from the URL first, then from headers', () => {
    expect(read('tools=core,documents&readonly=1&vault=app&structured=true')).toEqual({
      toolsets: ['core', 'documents'],
      isReadOnly: true,
      vault: 'app',
      isStructured: true,
    })
    const headers = { 'x-tools': 'full tasks full', 'x-vault-id': 'app', 'x-readonly': 'yes' }
    expect(read('', headers)).toMatchObject({ toolsets: ['full', 'tasks'], vault: 'app', isReadOnly: true })
    expect(read('tools=graph&vault=web&readonly=no', headers)).toMatchObject({
      toolsets: ['graph'],
      vault: 'web',
    })
    expect(read('readonly')).toMatchObject({ isReadOnly: true })
  })

  it('are read-only if either says so, in any spelling', () => {
    for (const query of ['readonly=0&readonly=1', 'READONLY=1', 'readonly=%201', 'ReadOnly=on&readonly=off'])
      expect(read(query), query).toMatchObject({ isReadOnly: true })
    expect(read('readonly=0', { 'x-readonly': '1' })).toMatchObject({ isReadOnly: true })
    expect(read('', { 'x-readonly': '0, 1' })).toMatchObject({ isReadOnly: true })
    expect(read('readonly=no', { 'x-readonly': 'false' })).toMatchObject({ isReadOnly: false })
  })

  it('reject invalid values', () => {
    expect(() => read('tools=core,memorys')).toThrow('unknown toolset "memorys". Did you mean memory?')
    expect(() => read('tools=nope')).toThrow('unknown toolset "nope". Toolsets: core, full, session')
    expect(() => read('readonly=2')).toThrow('readonly: must be 1 or 0 (got "2")')
    expect(() => read('', { 'x-readonly': 'please' })).toThrow('readonly: must be 1 or 0')
    expect(() => read('structured=maybe')).toThrow('structured: must be 1 or 0')
  })
})
