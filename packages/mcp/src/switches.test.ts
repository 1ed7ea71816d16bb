import { describe, expect, it } from 'vitest'
import { noSwitches, readSwitches } from './switches.ts'

const read = (query: string, headers: Record<string, string> = {}) =>
  readSwitches(new URLSearchParams(query), (name) => headers[name])

describe('switches', () => {
  it('are off where nobody set them', () => {
    expect(read('')).toEqual(noSwitches)
    expect(read('vault=&tools=&readonly=0')).toEqual(noSwitches)
  })

  it('are read from the URL first, then from headers', () => {
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
      isReadOnly: false,
    })
    expect(read('readonly')).toMatchObject({ isReadOnly: true })
  })

  it('name what nobody can have meant', () => {
    expect(() => read('tools=core,memorys')).toThrow('there is no toolset "memorys"; did you mean memory?')
    expect(() => read('tools=xylophones')).toThrow('there are core, full, session')
  })
})
