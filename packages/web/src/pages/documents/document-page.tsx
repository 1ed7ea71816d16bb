import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Text } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { ByLine } from '../../components/records/by-line.tsx'
import { nameWriter } from '../../components/records/writers.ts'
import { Moment } from '../../components/text/moment.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { Page } from '../../components/frame/page.tsx'
import { DocumentEditor } from './document-editor.tsx'
import { documentLooks, readersNote, type DocumentType } from './document-looks.ts'
import { DocumentRules } from './document-rules.tsx'
import { DocumentTabs } from './document-tabs.tsx'
import { DocumentVersions } from './document-versions.tsx'
import classes from './documents-page.module.css'
import { VaultPreview } from './text-preview.tsx'
import { useDocumentDraft } from './use-document-draft.ts'
import { textOfVault } from './written-text.ts'
import { RoleNote } from '../../components/frame/only-for.tsx'

interface Props {
  vaultId: string
  documentType: DocumentType
}

export function DocumentPage({ vaultId, documentType }: Props) {
  const { title, purpose } = documentLooks[documentType]
  const found = useOperation('list-documents', { vaultId, documentType })
  const document = found.data?.documents[0]
  const isWritten = document !== undefined && document.ownContent !== null
  return (
    <Page
      title={title}
      back={{ to: '/documents', label: 'All documents' }}
      keepsLead={isWritten}
      lead={
        <>
          {purpose} {isWritten && <ByLine isInText size="inherit" record={document} />}
        </>
      }
    >
      <RoleNote needs="admin">{readersNote}</RoleNote>
      <Loaded query={found} skeleton={<SkeletonRecord />}>
        {({ documents: [one] }) => one !== undefined && <OneDocument vaultId={vaultId} document={one} />}
      </Loaded>
    </Page>
  )
}

function OneDocument({ vaultId, document }: { vaultId: string; document: PersonsDocument }) {
  const written = textOfVault(document)
  // Kept here because switching tabs unmounts the editor.
  const draft = useDocumentDraft(written)
  return (
    <>
      <Removed document={document} />
      <DocumentTabs
        isDirty={draft.isDirty}
        tabs={[
          {
            name: 'text',
            label: 'Text',
            content: (
              <DocumentEditor
                vaultId={vaultId}
                written={written}
                draft={draft}
                label="This vault’s own text"
                preview={<VaultPreview document={document} text={draft.text} />}
              />
            ),
          },
          { name: 'agents', label: 'What agents see', content: <Resolved document={document} /> },
          {
            name: 'versions',
            label: 'Versions',
            content: <DocumentVersions vaultId={vaultId} written={written} />,
          },
        ]}
      />
      <DocumentRules vaultId={vaultId} document={document} />
    </>
  )
}

/** Who removed the vault's text, which would otherwise look as if it had never been written. */
function Removed({ document: { removedBy } }: { document: PersonsDocument }) {
  if (removedBy === null) return null
  return (
    <Text mb="xs">
      Text removed by {nameWriter(removedBy)}, <Moment at={removedBy.at} />. The earlier text is under Versions.
    </Text>
  )
}

/** The exact text that agents get. */
function Resolved({ document }: { document: PersonsDocument }) {
  return (
    <div className={classes.resolved}>
      <p>{describeOrigin(document)}</p>
      <CodeBlock isWrapped label={`Text for agents, ${document.content.length} characters`} code={document.content} />
    </div>
  )
}

function describeOrigin({ isTemplate, inheritMode, ownContent, inheritedContent, removedBy }: PersonsDocument): string {
  if (isTemplate) return `${removedBy === null ? 'No text yet' : 'The text was removed'}. Agents get the built-in text.`
  if (inheritMode === 'merge' && ownContent !== null && inheritedContent !== null)
    return 'Your text for all vaults, followed by this vault’s text.'
  if (ownContent === null) return 'Your text for all vaults. This vault has none.'
  return 'This vault’s text.'
}
