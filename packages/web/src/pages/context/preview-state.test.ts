import { describe, expect, it } from 'vitest'
import { inputOf, nameMode, previewUrl } from './preview-state.ts'

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

it('calls the mode that the vault decides as the field does, with its name if it is another one than usual', () => {
  expect([nameMode(undefined, 'default'), nameMode(undefined, 'deep')]).toEqual([
    'Vault default',
    'Vault default: Deep',
  ])
  expect([nameMode('default', 'default'), nameMode('deep', 'deep')]).toEqual(['Default mode', 'Deep mode'])
})
