import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useAction, useOperation, usePage, type OneOf, type PageOf } from '../../api/queries.ts'
import { nameOfAgent } from '../../components/agent-names.ts'
import { Loaded, SkeletonList } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { Pager } from '../../components/pager.tsx'
import { countOf } from '../../components/time-text.ts'
import { toastError, toastUndo } from '../../shell/toasts.tsx'
import { documentReads } from './document-looks.ts'
import classes from './documents-page.module.css'
import { TextDiff } from './text-diff.tsx'

const pageSize = 10

interface Props {
  vaultId: string
  document: PersonsDocument
}

/** What the document said before its last changes, the latest first. */
export function DocumentVersions({ vaultId, document }: Props) {
  const [offset, setOffset] = useState(0)
  const { documentType, version, agentId, updatedAt } = document
  const versions = usePage('read-document-versions', { vaultId, documentType, limit: pageSize, offset })
  return (
    <Loaded query={versions} skeleton={<SkeletonList rows={3} />}>
      {(page) =>
        page.total === 0 ? (
          <Text c="dimmed">It has never said anything else.</Text>
        ) : (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              Now version {version}, by {authorOf(agentId)}, <Moment at={updatedAt} />. The last 50 before it are kept.
            </Text>
            <ol className={classes.versions}>
              {page.versions.map((former) => (
                <Version key={former.version} vaultId={vaultId} document={document} former={former} />
              ))}
            </ol>
            <Pager page={page} onOffset={setOffset} />
          </>
        )
      }
    </Loaded>
  )
}

const authorOf = (agentId: string | null) => (agentId === 'user' ? 'you' : nameOfAgent(agentId))

type Former = PageOf<'read-document-versions'>['versions'][number]

function Version({ vaultId, document, former }: Props & { former: Former }) {
  const [isOpen, setOpen] = useState(false)
  const { version, agentId, agentRunId, characters, updatedAt } = former
  return (
    <li className={classes.version}>
      <div className={classes.versionHead}>
        <span>
          <b>Version {version}</b>, by {authorOf(agentId)}
          {agentRunId !== null && ` in the run ${agentRunId}`}, <Moment at={updatedAt} />,{' '}
          {countOf(characters, 'character')}
        </span>
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Compare with now'}
        </Button>
      </div>
      {isOpen && <Compared vaultId={vaultId} document={document} version={version} />}
    </li>
  )
}

function Compared({ vaultId, document, version }: Props & { version: number }) {
  const { documentType } = document
  const query = useOperation('read-document-versions', { vaultId, documentType, version })
  const edit = useAction('edit-document', { refreshes: documentReads })
  const write = (content: string, expectedVersion: number, onSuccess?: (version: number) => void) =>
    edit.mutate(
      { vaultId, documentType, content, expectedVersion },
      { onSuccess: ({ document: saved }) => onSuccess?.(saved.version), onError: (error) => toastError(error) },
    )
  const now = document.ownContent ?? ''
  const restore = (content: string) =>
    write(content, document.version, (saved) => toastUndo(`Version ${version} holds again`, () => write(now, saved)))
  return (
    <Loaded query={query} skeleton={<SkeletonList rows={2} />}>
      {(found) => {
        const { content } = (found as OneOf<'read-document-versions'>).version
        return (
          <>
            <TextDiff older={content} newer={now} label={`From version ${version} to now`} />
            {content !== now && (
              <Group justify="flex-end">
                <Button size="xs" loading={edit.isPending} onClick={() => restore(content)}>
                  Restore version {version}
                </Button>
              </Group>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
