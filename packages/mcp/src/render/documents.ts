import type { ReadDocumentOutput } from '@holdfast/client'
import type { WholeItem } from './compose.ts'
import { item } from './recall-fence.ts'

/** A document of the vault, all of it, part by part. */
export const wholeDocument = ({ documentType, content, ...told }: ReadDocumentOutput): WholeItem => ({
  id: documentType,
  text: content,
  show: (part) =>
    item(
      {
        document: documentType,
        from: told.isTemplate ? 'the template' : undefined,
        version: told.version,
        changed: told.updatedAt ?? undefined,
        edit: told.agentEditable
          ? told.appendOnly
            ? 'agents may add to it'
            : 'agents may change it'
          : 'the person alone',
        inherit: told.inheritMode,
      },
      part,
    ),
})
