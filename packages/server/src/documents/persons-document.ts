import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { describeDocument, documentRecord, saidIn, type DocumentSources } from './document.ts'
import { shippedRules } from './rules.ts'
import { templates } from './templates.ts'

/** A document as the person sees it who may change all of it. */
export const personsDocument = documentRecord
  .extend({
    content: z.string().describe('What agents read: the texts below, put together as inheritMode says.'),
    ownContent: z.string().nullable().describe("The vault's own text; null where it has none."),
    inheritedContent: z.string().nullable().describe('What you have written for all of your vaults.'),
    agentId: z.string().nullable().describe("Who wrote the vault's own text last."),
    updatedAt: fields.timestamp.nullable().describe("When the vault's own text or rules were changed last."),
    template: z.string().describe('The text that came with this version, to begin from.'),
  })
  .meta({ id: 'PersonsDocument' })

export type PersonsDocument = z.infer<typeof personsDocument>

export const describeForPerson = ({ type, own, inherited }: DocumentSources): PersonsDocument => ({
  ...describeDocument(type, own, inherited),
  ownContent: saidIn(own) ?? null,
  inheritedContent: saidIn(inherited) ?? null,
  agentId: own?.author.agentId ?? null,
  updatedAt: isoTimeOrNull(own?.updatedAt),
  template: templates[type].content,
})

export const exampleVaultId = '0198c5f0-0000-7000-8000-000000000001'

export const exampleDocument: PersonsDocument = {
  documentType: 'checks',
  content: templates.checks.content,
  ...shippedRules.checks,
  templateVersion: 1,
  isTemplate: true,
  version: 0,
  updatedAt: null,
  ownContent: null,
  inheritedContent: null,
  agentId: null,
  template: templates.checks.content,
}
