import { useOperation } from '../../api/queries.ts'
import { EditConflict } from '../../components/forms/edited-record.tsx'
import type { DocumentType } from './document-looks.ts'
import { textForAll, textOfVault, type WrittenText } from './written-text.ts'

interface Choice {
  documentType: DocumentType
  version: number
  onKeepMine: (newest: WrittenText) => void
  onTakeTheirs: (newest: WrittenText) => void
}

export const DocumentConflict = ({ vaultId, ...choice }: Choice & { vaultId: string | undefined }) =>
  vaultId === undefined ? <ConflictForAll {...choice} /> : <ConflictInVault vaultId={vaultId} {...choice} />

const print = ({ text }: WrittenText) => text

function ConflictInVault({ vaultId, documentType, ...choice }: Choice & { vaultId: string }) {
  const query = useOperation('list-documents', { vaultId, documentType })
  return (
    <EditConflict query={query} read={({ documents }) => only(documents.map(textOfVault))} print={print} {...choice} />
  )
}

function ConflictForAll({ documentType, ...choice }: Choice) {
  const query = useOperation('list-default-documents', { documentType })
  return (
    <EditConflict query={query} read={({ documents }) => only(documents.map(textForAll))} print={print} {...choice} />
  )
}

/** Every document exists, even if it is empty. */
const only = (documents: readonly WrittenText[]) => documents[0] as WrittenText
