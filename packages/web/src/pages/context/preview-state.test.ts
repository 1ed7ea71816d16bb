import { describe, expect, it } from 'vitest'
import { inputOf, previewUrl } from './preview-state.ts'

describe('inputOf', () => {
  it('sends only the vault and the agent if nothing is chosen', () => {
    expect(JSON.parse(JSON.stringify(inputOf(previewUrl.defaults, 'v', 'i', 'bogus')))).toEqual({
      vaultId: 'v',
      integrationId: 'i',
    })
  })

  it('can set a limit of 0 and request full content', () => {
    expect(inputOf({ ...previewUrl.defaults, facts: 0, whole: true }, 'v', 'i', 'deep')).toMatchObject({
      maxFacts: 0,
      summaryOnly: false,
      mode: 'deep',
    })
  })
})
