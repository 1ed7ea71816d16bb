import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Anchor, Table, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { nameOfAgent } from '../../components/agent-names.ts'
import { InVault } from '../../components/in-vault.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { RecordTable } from '../../components/record-table.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { formatCount } from '../../components/time-text.ts'
import { useRowFocus } from '../../components/use-row-keys.ts'
import { documentLooks, isDocumentType } from './document-looks.ts'
import { DocumentPage } from './document-page.tsx'
import classes from './documents-page.module.css'

export function DocumentsPage() {
  const { name }: { name?: string } = useParams({ strict: false })
  if (isDocumentType(name))
    return <InVault>{({ id }) => <DocumentPage key={name} vaultId={id} documentType={name} />}</InVault>
  return (
    <Page title="Documents" lead="Four texts that this vault hands to every agent that works in it.">
      <InVault>{({ id }) => <Documents vaultId={id} />}</InVault>
    </Page>
  )
}

function Documents({ vaultId }: { vaultId: string }) {
  const found = useOperation('browse-documents', { vaultId })
  return <Loaded query={found}>{({ documents }) => <DocumentTable documents={documents} />}</Loaded>
}

function DocumentTable({ documents }: { documents: readonly PersonsDocument[] }) {
  const navigate = useNavigate()
  const { setCurrent } = useRowFocus(documents.map(({ documentType }) => documentType))
  return (
    <div className={classes.frame}>
      <RecordTable rowsOpen label="Documents" heads={['Document', 'Agents may', 'Characters', 'Changed']}>
        {documents.map((document) => (
          <Table.Tr
            key={document.documentType}
            onClick={() => void navigate({ to: `/documents/${document.documentType}` })}
            onFocus={() => setCurrent(document.documentType)}
          >
            <Table.Td>
              <Name document={document} />
            </Table.Td>
            <Table.Td data-label="Agents may">
              <AgentsMay document={document} />
            </Table.Td>
            <Table.Td data-label="Characters">{formatCount(document.content.length)}</Table.Td>
            <Table.Td data-label="Changed">
              {document.isTemplate ? (
                <Text span c="dimmed">
                  As shipped
                </Text>
              ) : (
                <span>
                  <Moment at={document.updatedAt} />, {nameOfAgent(document.agentId)}
                </span>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </RecordTable>
    </div>
  )
}

function Name({ document: { documentType } }: { document: PersonsDocument }) {
  const { title, icon: Icon, purpose } = documentLooks[documentType]
  return (
    <div className={classes.name}>
      <Icon size={18} strokeWidth={1.7} aria-hidden className={classes.icon} />
      <div>
        <Anchor
          renderRoot={(props) => <Link {...props} to={`/documents/${documentType}`} />}
          c="inherit"
          fw={550}
          data-row={documentType}
          onClick={(event) => event.stopPropagation()}
        >
          {title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {purpose}
        </Text>
      </div>
    </div>
  )
}

function AgentsMay({ document: { agentEditable, appendOnly } }: { document: PersonsDocument }) {
  if (!agentEditable) return <StateBadge tone="off">Only read it</StateBadge>
  return appendOnly ? <StateBadge tone="neutral">Add to it</StateBadge> : <StateBadge tone="good">Change it</StateBadge>
}
