import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { OneOf, PageOf } from '../../api/queries.ts'
import { nameWriter, nameWriters } from '../../components/records/writers.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { toastError, toastUndo } from '../../shell/toasts.tsx'
import classes from './documents-page.module.css'
import { TextDiff } from '../../components/text/text-diff.tsx'
import { useVersion, useVersions, useWriteText, type WrittenText } from './written-text.ts'
import { useMay } from '../../shell/role.ts'

const pageSize = 10

interface Props {
  /** Undefined for the text for all vaults. */
  vaultId: string | undefined
  written: WrittenText
}

/** Earlier versions, newest first. */
export function DocumentVersions({ vaultId, written }: Props) {
  const [offset, setOffset] = useState(0)
  const { documentType, version, text, updatedAt } = written
  const versions = useVersions(vaultId, { documentType, limit: pageSize, offset })
  return (
    <Loaded query={versions} skeleton={<SkeletonList rows={3} />}>
      {(page) =>
        page.total === 0 ? (
          <Text c="dimmed">No earlier versions yet.</Text>
        ) : (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              Version {version} is current{text !== '' && `, by ${nameWriters(written)}`}, <Moment at={updatedAt} />.
              The 50 versions before it are kept, and the last one by each writer.
            </Text>
            <ol className={classes.versions}>
              {page.versions.map((former) => (
                <Version key={former.version} vaultId={vaultId} written={written} former={former} />
              ))}
            </ol>
            <Pager page={page} onOffset={setOffset} />
          </>
        )
      }
    </Loaded>
  )
}

type Former = PageOf<'read-document-versions'>['versions'][number]

function Version({ vaultId, written, former }: Props & { former: Former }) {
  const [isOpen, setOpen] = useState(false)
  const { version, agentId, agentRunId, source, characters, updatedAt } = former
  return (
    <li className={classes.version}>
      <div className={classes.versionHead}>
        <span>
          <b>Version {version}</b>, by {nameWriter({ ...source, agentId })}
          {agentRunId !== null && ` in run ${agentRunId}`}, <Moment at={updatedAt} />,{' '}
          {countOf(characters, 'character')}
        </span>
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Compare with current'}
        </Button>
      </div>
      {isOpen && <Compared vaultId={vaultId} written={written} version={version} />}
    </li>
  )
}

function Compared({ vaultId, written, version }: Props & { version: number }) {
  const { documentType, text: current } = written
  const query = useVersion(vaultId, { documentType, version })
  const { write, isPending } = useWriteText(vaultId, written)
  const mayWrite = useMay('admin') || vaultId === undefined
  const put = (change: Parameters<typeof write>[0], onDone?: (version: number) => void) =>
    write(change, { onSuccess: (saved) => onDone?.(saved.version), onError: (error) => toastError(error) })
  // The replaced text becomes a version too, so this can be undone.
  const undo = (expectedVersion: number) => put({ content: current, fromVersion: written.version, expectedVersion })
  const restore = (content: string) =>
    put({ content, fromVersion: version, expectedVersion: written.version }, (saved) =>
      toastUndo(`Version ${version} restored`, () => undo(saved)),
    )
  return (
    <Loaded query={query} skeleton={<SkeletonList rows={2} />}>
      {(found) => {
        const { content } = (found as OneOf<'read-document-versions'>).version
        return (
          <>
            <TextDiff older={content} newer={current} label={`Changes since version ${version}`} />
            {mayWrite && content !== current && (
              <Group justify="flex-end">
                <Button size="xs" loading={isPending} onClick={() => restore(content)}>
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
