import { describe, expect, it } from 'vitest'
import { inputOf, labUrl } from './lab-state.ts'
import { printCurl, printTypeScript } from './print-call.ts'

const vaultId = '0198c5f0-0000-7000-8000-000000000001'

describe('printCurl', () => {
  it('quotes characters that are special in a shell', () => {
    const printed = printCurl({ vaultId, query: `Ada's $HOME` }, 'http://127.0.0.1:8420')
    expect(printed).toContain(String.raw`"query":"Ada'\''s $HOME"`)
    expect(printed).toContain('"explain":true')
  })
})

describe('printTypeScript', () => {
  it('omits parameters that agents don’t have and parameters that aren’t set', () => {
    const printed = printTypeScript(
      { vaultId, query: 'tabs', kinds: ['memory', 'note'], threshold: undefined },
      'http://a.example',
    )
    expect(printed).not.toContain('kinds')
    expect(printed).not.toContain('threshold')
  })
})

describe('inputOf', () => {
  it('is undefined without a query', () => {
    expect(inputOf({ ...labUrl.defaults, q: ' ' }, vaultId)).toBeUndefined()
  })

  it('omits unset parameters and invalid values', () => {
    const input = inputOf({ ...labUrl.defaults, q: 'tabs', type: 'fact,bogus', why: 'no id', asOf: 'never' }, vaultId)
    expect(JSON.parse(JSON.stringify(input))).toEqual({ vaultId, query: 'tabs', topK: 10, memoryTypes: ['fact'] })
  })

  it('accepts 0 as a threshold, but not as a half-life', () => {
    const input = inputOf({ ...labUrl.defaults, q: 'tabs', threshold: 0, diversity: 0, halfLife: 0 }, vaultId)
    expect(input).toMatchObject({ threshold: 0, diversity: 0, decayHalfLife: undefined })
  })
})
