import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Anchor, Tabs, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { DocumentEditor } from './document-editor.tsx'
import { documentLooks, type DocumentType } from './document-looks.ts'
import { DocumentRules } from './document-rules.tsx'
import { DocumentVersions } from './document-versions.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { useDocumentDraft } from './use-document-draft.ts'

const shown = { show: 'text' }

interface Props {
  vaultId: string
  documentType: DocumentType
}

export function DocumentPage({ vaultId, documentType }: Props) {
  const { title, purpose } = documentLooks[documentType]
  const found = useOperation('browse-documents', { vaultId, documentType })
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
  const [{ show }, setState] = useUrlState(shown)
  // Here, so that it outlives a look at the other tabs.
  const draft = useDocumentDraft(document)
  return (
    <>
      <DocumentRules vaultId={vaultId} document={document} />
      <Tabs value={tabOf(show)} onChange={(next) => setState({ show: next ?? 'text' })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="text">
            Text
            {draft.isDirty && (
              <>
                <span aria-hidden> •</span>
                <VisuallyHidden>, not saved</VisuallyHidden>
              </>
            )}
          </Tabs.Tab>
          <Tabs.Tab value="agents">What agents see</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="text">
          <DocumentEditor vaultId={vaultId} document={document} draft={draft} />
        </Tabs.Panel>
        <Tabs.Panel value="agents">
          <Resolved document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <DocumentVersions vaultId={vaultId} document={document} />
        </Tabs.Panel>
      </Tabs>
      <LeaveQuestion isDirty={draft.isDirty} />
    </>
  )
}

const tabOf = (show: string) => ['text', 'agents', 'versions'].find((tab) => tab === show) ?? 'text'

/** The very text that agents are given. */
function Resolved({ document }: { document: PersonsDocument }) {
  return (
    <>
      <p>{describeOrigin(document)}</p>
      <CodeBlock isWrapped label={`As agents read it, ${document.content.length} characters`} code={document.content} />
    </>
  )
}

function describeOrigin({ isTemplate, inheritMode, ownContent, inheritedContent }: PersonsDocument): string {
  if (isTemplate) return 'Nobody has written it yet: agents are given the text that came with this version.'
  if (inheritMode === 'merge' && ownContent !== null && inheritedContent !== null)
    return 'First what you have written for all of your vaults, then what this vault says.'
  if (ownContent === null) return 'What you have written for all of your vaults: this one says nothing of its own.'
  return 'What this vault says.'
}
