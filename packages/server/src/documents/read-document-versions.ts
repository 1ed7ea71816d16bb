import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { exampleVersions, readVersions, versionsInput, versionsOutput } from './document-versions.ts'
import { exampleVaultId } from './persons-document.ts'

export const readDocumentVersions = operation({
  name: 'read-document-versions',
  for: { person: 'GET /api/documents/versions' },
  vault: 'required',
  summary: "What a vault's document was before its last 50 changes, the latest first; or one of these, with its text.",
  effect: 'read',
  outdatedBy: ['documents'],
  input: z.object({ ...ownVault, ...versionsInput }),
  output: versionsOutput,
  examples: { input: { vaultId: exampleVaultId, documentType: 'checks' }, output: exampleVersions },
  run: (asked, { db, vault }) => readVersions(db.read, vault, asked),
})
