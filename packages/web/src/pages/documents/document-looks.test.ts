import { expect, it } from 'vitest'
import { documentLooks, isAtStart, type DocumentType, type SessionSettings } from './document-looks.ts'

const atStart = (settings: SessionSettings) =>
  (Object.keys(documentLooks) as DocumentType[]).filter((type) => isAtStart(type, settings))

it('a session starts with the documents of its mode, unless the vault’s settings name others', () => {
  expect(atStart({ defaultMode: 'default', sessionProfiles: {} })).toEqual(['soul'])
  expect(atStart({ defaultMode: 'incident', sessionProfiles: {} })).toEqual(['instructions', 'checks'])
  const sessionProfiles = { default: { includeDocuments: ['skills' as const] }, deep: { maxFacts: 5 } }
  expect(atStart({ defaultMode: 'default', sessionProfiles })).toEqual(['skills'])
  expect(atStart({ defaultMode: 'deep', sessionProfiles })).toEqual(['soul', 'instructions', 'skills', 'checks'])
})
