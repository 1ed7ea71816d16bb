import { describe, expect, it } from 'vitest'
import { inputOf, shown } from './lab-state.ts'
import { printCurl, printTypeScript } from './print-call.ts'

const vaultId = '0198c5f0-0000-7000-8000-000000000001'

describe('printCurl', () => {
  it('quotes what a shell would read otherwise', () => {
    const printed = printCurl({ vaultId, query: `Ada's $HOME` }, 'http://127.0.0.1:8420')
    expect(printed).toContain(String.raw`"query":"Ada'\''s $HOME"`)
    expect(printed).toContain('"explain":true')
  })
})

describe('printTypeScript', () => {
  it('leaves out what agents cannot ask for, and what is not set', () => {
    const printed = printTypeScript(
      { vaultId, query: 'tabs', kinds: ['memory', 'note'], threshold: undefined },
      'http://a.example',
    )
    expect(printed).not.toContain('kinds')
    expect(printed).not.toContain('threshold')
  })
})

describe('inputOf', () => {
  it('asks nothing without words', () => {
    expect(inputOf({ ...shown, q: ' ' }, vaultId)).toBeUndefined()
  })

  it('leaves to the vault what is not set, and leaves out what means nothing', () => {
    const input = inputOf({ ...shown, q: 'tabs', type: 'fact,bogus', why: 'no id', asOf: 'never' }, vaultId)
    expect(JSON.parse(JSON.stringify(input))).toEqual({ vaultId, query: 'tabs', topK: 10, memoryTypes: ['fact'] })
  })

  it('takes 0 for a threshold, but not for a half-life', () => {
    const input = inputOf({ ...shown, q: 'tabs', threshold: 0, diversity: 0, halfLife: 0 }, vaultId)
    expect(input).toMatchObject({ threshold: 0, diversity: 0, decayHalfLife: undefined })
  })
})
