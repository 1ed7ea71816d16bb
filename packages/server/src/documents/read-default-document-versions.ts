import { z } from 'zod'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { operation } from '../operation/operation.ts'
import { exampleVersions, readVersions, versionsInput, versionsOutput } from './document-versions.ts'

export const readDefaultDocumentVersions = operation({
  name: 'read-default-document-versions',
  for: { person: 'GET /api/documents/defaults/versions' },
  summary:
    'What your document for all of your vaults was before its last 50 changes, the latest first; or one of these, with its text.',
  effect: 'read',
  outdatedBy: ['documents'],
  input: z.object(versionsInput),
  output: versionsOutput,
  examples: { input: { documentType: 'soul' }, output: exampleVersions },
  async run(asked, { db, keyring, mek, actor: { userId } }) {
    const keys = await findPrivateScope(db.read, keyring, { userId, mek })
    return readVersions(db.read, keys && { id: userId, userId, keys }, asked)
  },
})
