import { describe, expect, it } from 'vitest'
import { inputOf, previewUrl } from './preview-state.ts'

describe('inputOf', () => {
  it('leaves everything to the vault and the mode where nothing is chosen', () => {
    expect(JSON.parse(JSON.stringify(inputOf(previewUrl.defaults, 'v', 'i', 'bogus')))).toEqual({
      vaultId: 'v',
      integrationId: 'i',
    })
  })

  it('can ask for none of a kind, and for whole contents', () => {
    expect(inputOf({ ...previewUrl.defaults, facts: 0, whole: true }, 'v', 'i', 'deep')).toMatchObject({
      maxFacts: 0,
      summaryOnly: false,
      mode: 'deep',
    })
  })
})
