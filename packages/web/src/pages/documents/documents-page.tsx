import type { DefaultDocument, PersonsDocument } from '@holdfast/client/dashboard'
import { SegmentedControl, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { ByLine } from '../../components/records/by-line.tsx'
import { nameWriter } from '../../components/records/writers.ts'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { isAtStart, isDocumentType, readersNote, shippedUse } from './document-looks.ts'
import { DocumentPage } from './document-page.tsx'
import { DocumentTable } from './document-table.tsx'
import { RoleNote } from '../../components/frame/only-for.tsx'

const whose = [
  { value: 'vault', label: 'This vault' },
  { value: 'all', label: 'All vaults' },
]

export function DocumentsPage() {
  const { name }: { name?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  if (isDocumentType(name))
    return <InVault>{({ id }) => <DocumentPage key={name} vaultId={id} documentType={name} />}</InVault>
  const isForAll = name === 'all'
  return (
    <Page
      title="Documents"
      lead={
        isForAll
          ? 'Texts that agents read in all of your vaults.'
          : 'Texts for every agent in this vault. Sessions start with some of them; agents read the others when they need them.'
      }
      actions={
        <SegmentedControl
          aria-label="Documents of"
          data={whose}
          value={isForAll ? 'all' : 'vault'}
          onChange={(chosen) => void navigate({ to: chosen === 'all' ? '/documents/all' : '/documents' })}
        />
      }
    >
      {isForAll ? <ForAllVaults /> : <InVault>{({ id }) => <OfVault vaultId={id} />}</InVault>}
    </Page>
  )
}

function OfVault({ vaultId }: { vaultId: string }) {
  const found = useOperation('list-documents', { vaultId })
  const settings = useOperation('get-settings', { vaultId }).data?.settings
  return (
    <>
      <RoleNote needs="admin">{readersNote}</RoleNote>
      <Loaded query={found}>
        {({ documents }) => (
          <DocumentTable
            path="/documents"
            heads={['Agents get it', 'Agents can', 'Characters', 'Changed']}
            rows={documents.map((document) => ({
              documentType: document.documentType,
              cells: [
                settings &&
                  (isAtStart(document.documentType, settings) ? 'When a session starts' : 'When they ask for it'),
                <AgentsMay key="may" document={document} />,
                formatCount(document.content.length),
                <Changed key="changed" document={document} />,
              ],
            }))}
          />
        )}
      </Loaded>
    </>
  )
}

function AgentsMay({ document: { agentEditable, appendOnly } }: { document: PersonsDocument }) {
  if (!agentEditable) return 'Read'
  return appendOnly ? 'Read and add text' : 'Read and edit'
}

function Changed({ document }: { document: PersonsDocument }) {
  const { isTemplate, ownContent, removedBy } = document
  if (ownContent === null)
    return (
      <Text span inherit c="dimmed">
        {isTemplate ? 'Built-in text' : 'Your text for all vaults'}
        {removedBy !== null && `, after ${nameWriter(removedBy)} removed the text`}
      </Text>
    )
  return <ByLine size="sm" record={document} />
}

function ForAllVaults() {
  const found = useOperation('list-default-documents', {})
  return (
    <Loaded query={found}>
      {({ documents }) => (
        <DocumentTable
          path="/documents/all"
          heads={['Used', 'Characters', 'Changed']}
          rows={documents.map((document) => ({
            documentType: document.documentType,
            cells: [
              shippedUse[document.documentType].short,
              formatCount(document.content.length),
              <ChangedForAll key="changed" document={document} />,
            ],
          }))}
        />
      )}
    </Loaded>
  )
}

const ChangedForAll = ({ document: { content, updatedAt } }: { document: DefaultDocument }) =>
  content === '' ? (
    <Text span inherit c="dimmed">
      No text yet
    </Text>
  ) : (
    <Moment at={updatedAt} />
  )
