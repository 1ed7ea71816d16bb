import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { changedBy, source } from '../operation/writer.ts'
import {
  describeDocument,
  describeOrigin,
  documentRecord,
  findSources,
  onlyType,
  getText,
  typesToList,
  type DocumentSources,
} from './document.ts'
import { shippedRules, templates } from './templates.ts'

/** A document with all its parts, for the people who can change them. */
const personsDocument = documentRecord
  .extend({
    content: z.string().describe('What agents read: the texts below, combined by inheritMode.'),
    ownContent: z.string().nullable().describe("The vault's own text; null if it has none."),
    inheritedContent: z.string().nullable().describe('Your text for all your vaults.'),
    agentId: z.string().nullable().describe("Who wrote the vault's own text first; null if it never had any."),
    source: source.nullable().describe("Where the vault's own text comes from."),
    changedBy: changedBy.describe("Who last changed the vault's own text; null if only its author wrote it."),
    updatedAt: fields.timestamp.nullable().describe("When the vault's own text or rules were last changed."),
    template: z.string().describe('The template of this version, to start from.'),
  })
  .meta({ id: 'PersonsDocument' })

type PersonsDocument = z.infer<typeof personsDocument>

const exampleDocument: PersonsDocument = {
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
  source: null,
  changedBy: null,
  removedBy: null,
  template: templates.checks.content,
}

export const listDocuments = operation({
  name: 'list-documents',
  for: { person: 'GET /api/documents' },
  vault: 'required',
  summary: "List a vault's documents with their texts. A document without a text has its template.",
  effect: 'read',
  outdatedBy: ['documents'],
  input: z.object({ ...fields.ownVault, documentType: onlyType }),
  output: z.looseObject({ documents: z.array(personsDocument) }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', documentType: 'checks' },
    output: { documents: [exampleDocument] },
  },
  async run({ documentType: only }, ctx) {
    const sources = await findSources(ctx, typesToList(only))
    const documents = sources.map(describeForPerson)
    await addKeyLabels(ctx, documents)
    return { documents }
  },
})

const describeForPerson = (sources: DocumentSources): PersonsDocument => ({
  ...describeDocument(sources),
  ownContent: getText(sources.own) ?? null,
  inheritedContent: getText(sources.inherited) ?? null,
  ...describeOrigin(sources.type, sources.own),
})
