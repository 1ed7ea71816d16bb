import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Anchor, Box } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { ByLine } from '../../components/records/by-line.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Page } from '../../components/frame/page.tsx'
import { DocumentEditor } from './document-editor.tsx'
import { documentLooks, type DocumentType } from './document-looks.ts'
import { DocumentRules } from './document-rules.tsx'
import { DocumentTabs } from './document-tabs.tsx'
import { DocumentVersions } from './document-versions.tsx'
import { VaultPreview } from './text-preview.tsx'
import { useDocumentDraft } from './use-document-draft.ts'
import { textOfVault } from './written-text.ts'

interface Props {
  vaultId: string
  documentType: DocumentType
}

export function DocumentPage({ vaultId, documentType }: Props) {
  const { title, purpose } = documentLooks[documentType]
  const found = useOperation('list-documents', { vaultId, documentType })
  return (
    <Page
      title={title}
      lead={
        <>
          {purpose}{' '}
          <Anchor underline="always" renderRoot={(props) => <Link {...props} to="/documents" />}>
            All documents
          </Anchor>
        </>
      }
    >
      <Loaded query={found}>
        {({ documents: [document] }) => document !== undefined && <OneDocument vaultId={vaultId} document={document} />}
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
      {document.ownContent !== null && (
        <Box mb="xs">
          <ByLine record={document} />
        </Box>
      )}
      <DocumentRules vaultId={vaultId} document={document} />
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
    </>
  )
}

/** The exact text that agents get. */
function Resolved({ document }: { document: PersonsDocument }) {
  return (
    <>
      <p>{describeOrigin(document)}</p>
      <CodeBlock isWrapped label={`Text for agents, ${document.content.length} characters`} code={document.content} />
    </>
  )
}

function describeOrigin({ isTemplate, inheritMode, ownContent, inheritedContent }: PersonsDocument): string {
  if (isTemplate) return 'No text yet. Agents get the built-in text.'
  if (inheritMode === 'merge' && ownContent !== null && inheritedContent !== null)
    return 'Your text for all vaults, followed by this vault’s text.'
  if (ownContent === null) return 'Your text for all vaults. This vault has none.'
  return 'This vault’s text.'
}
