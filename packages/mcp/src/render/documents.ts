import { nameWriters, printRemoval, type ReadDocumentOutput } from '@holdfast/client'
import type { WholeItem } from './compose.ts'
import { item } from './recall-fence.ts'

/** A document of the vault in full, in parts. */
export const wholeDocument = ({
  documentType,
  content,
  agentId,
  source,
  changedBy,
  removedBy,
  ...document
}: ReadDocumentOutput): WholeItem => ({
  id: documentType,
  text: content,
  show: (part) =>
    item(
      {
        document: documentType,
        from: source === null ? 'the template' : nameWriters({ agentId, ...source, changedBy }),
        removed: removedBy ? printRemoval(removedBy) : undefined,
        version: document.version,
        changed: document.updatedAt ?? undefined,
        edit: document.agentEditable
          ? document.appendOnly
            ? 'agents may append'
            : 'agents may edit'
          : 'only the person',
        inherit: document.inheritMode,
      },
      part,
    ),
})
