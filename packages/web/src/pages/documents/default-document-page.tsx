import type { DefaultDocument } from '@holdfast/client/dashboard'
import { Anchor } from '@mantine/core'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Page } from '../../components/frame/page.tsx'
import { DocumentEditor } from './document-editor.tsx'
import { documentLooks, isDocumentType, shippedUse, type DocumentType } from './document-looks.ts'
import { DocumentTabs } from './document-tabs.tsx'
import { DocumentVersions } from './document-versions.tsx'
import { TextPreview } from './text-preview.tsx'
import { useDocumentDraft } from './use-document-draft.ts'
import { textForAll } from './written-text.ts'

/** A user's text for all of their vaults. */
export function DefaultDocumentPage() {
  const { name }: { name?: string } = useParams({ strict: false })
  return isDocumentType(name) ? <OneType key={name} documentType={name} /> : <Navigate to="/documents/all" replace />
}

function OneType({ documentType }: { documentType: DocumentType }) {
  const { title, purpose } = documentLooks[documentType]
  const found = useOperation('list-default-documents', { documentType })
  return (
    <Page
      title={`${title} for all vaults`}
      back={{ to: '/documents/all', label: 'All documents' }}
      keepsLead
      lead={
        <>
          {purpose} {shippedUse[documentType].long}{' '}
          <Anchor underline="always" renderRoot={(props) => <Link {...props} to={`/documents/${documentType}`} />}>
            Open this vault’s document
          </Anchor>
        </>
      }
    >
      <Loaded query={found}>
        {({ documents: [document] }) => document !== undefined && <OneDocument document={document} />}
      </Loaded>
    </Page>
  )
}

function OneDocument({ document }: { document: DefaultDocument }) {
  const written = textForAll(document)
  const { template } = written
  // Kept here because switching tabs unmounts the editor.
  const draft = useDocumentDraft(written)
  const preview =
    draft.text === '' ? (
      <TextPreview title="Built-in text" text={template} />
    ) : (
      <TextPreview title="Preview" text={draft.text} />
    )
  return (
    <DocumentTabs
      isDirty={draft.isDirty}
      tabs={[
        {
          name: 'text',
          label: 'Text',
          content: (
            <DocumentEditor
              vaultId={undefined}
              written={written}
              draft={draft}
              label="Your text for all vaults"
              preview={preview}
            />
          ),
        },
        {
          name: 'versions',
          label: 'Versions',
          content: <DocumentVersions vaultId={undefined} written={written} />,
        },
      ]}
    />
  )
}
