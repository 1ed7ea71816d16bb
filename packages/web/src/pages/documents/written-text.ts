import type { DefaultDocument, PersonsDocument } from '@holdfast/client/dashboard'
import { useAction, useOperation, usePage } from '../../api/queries.ts'
import type { DocumentType } from './document-looks.ts'

/** An editable text: a vault's own, or the user's for all vaults. Below, an undefined `vaultId` means the latter. */
export interface WrittenText {
  documentType: DocumentType
  /** Empty if there is none. */
  text: string
  version: number
  agentId: string | null
  source: PersonsDocument['source']
  changedBy: PersonsDocument['changedBy']
  updatedAt: string | null
  template: string
}

export const textOfVault = ({ ownContent, ...document }: PersonsDocument): WrittenText => ({
  ...document,
  text: ownContent ?? '',
})

export const textForAll = ({ content, ...document }: DefaultDocument): WrittenText => ({ ...document, text: content })

/** Operations whose data changes with either text. */
export const documentReads = [
  'list-documents',
  'read-document-versions',
  'list-default-documents',
  'read-default-document-versions',
] as const

interface Write {
  content: string
  /** The version that the content comes from, if it is restored. */
  fromVersion?: number
  expectedVersion: number
}

interface Outcome {
  onSuccess: (saved: WrittenText, updated: boolean) => void
  onError: (error: Error) => void
}

export function useWriteText(vaultId: string | undefined, written: WrittenText) {
  const { documentType } = written
  const ofVault = useAction('update-document', { refreshes: documentReads })
  const forAll = useAction('update-default-document', { refreshes: documentReads })
  return {
    isPending: ofVault.isPending || forAll.isPending,
    write({ content, fromVersion, expectedVersion }: Write, { onSuccess, onError }: Outcome) {
      const change = { expectedVersion, ...(fromVersion === undefined ? { content } : { fromVersion }) }
      if (vaultId === undefined)
        forAll.mutate(
          { documentType, ...change },
          { onSuccess: ({ document, updated }) => onSuccess(textForAll(document), updated), onError },
        )
      else
        ofVault.mutate(
          { vaultId, documentType, ...change },
          {
            onSuccess: ({ version, updatedAt, updated }) =>
              onSuccess({ ...written, text: content, version, updatedAt }, updated),
            onError,
          },
        )
    },
  }
}

/** Placeholder in the input of a disabled query. */
const noVault = ''

export function useVersions(
  vaultId: string | undefined,
  asked: { documentType: DocumentType; limit: number; offset: number },
) {
  const ofVault = usePage(
    'read-document-versions',
    { vaultId: vaultId ?? noVault, ...asked },
    { enabled: vaultId !== undefined },
  )
  const forAll = usePage('read-default-document-versions', asked, { enabled: vaultId === undefined })
  return vaultId === undefined ? forAll : ofVault
}

export function useVersion(vaultId: string | undefined, asked: { documentType: DocumentType; version: number }) {
  const ofVault = useOperation(
    'read-document-versions',
    { vaultId: vaultId ?? noVault, ...asked },
    { enabled: vaultId !== undefined },
  )
  const forAll = useOperation('read-default-document-versions', asked, { enabled: vaultId === undefined })
  return vaultId === undefined ? forAll : ofVault
}
