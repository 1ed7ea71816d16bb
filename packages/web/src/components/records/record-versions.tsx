import type { MemoryVersionOutline } from '@holdfast/client/dashboard'
import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { SkeletonList } from '../feedback/skeletons.tsx'
import { StateBadge } from '../feedback/state-badge.tsx'
import { Moment } from '../text/moment.tsx'
import classes from './record-versions.module.css'
import { TextChanges } from './text-changes.tsx'
import { useRestoreVersion } from './use-restore-version.ts'
import { nameWriter } from './writers.ts'
import { OnlyFor } from '../frame/only-for.tsx'

interface Props {
  vaultId: string
  /** Of a memory or task. */
  id: string
  /** The current version. */
  version: number
}

/** What other writers replaced, latest first, each with its changes and a way back. Nothing if there is none. */
export function RecordVersions(props: Props) {
  const { vaultId, id, version } = props
  const found = useOperation('read-memory-history', { vaultId, id, limit: 1 }, { enabled: version > 1 })
  const answer = found.data
  if (answer === undefined || !('versions' in answer) || answer.versions.length === 0) return null
  return (
    <section>
      <Title order={3} mb={4}>
        Older versions
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        What was here before another writer changed it.
      </Text>
      <ol className={classes.versions}>
        {answer.versions.map((older) => (
          <Version key={older.version} {...props} older={older} />
        ))}
      </ol>
    </section>
  )
}

function Version({ older, ...props }: Props & { older: MemoryVersionOutline }) {
  const [isOpen, setOpen] = useState(false)
  const { version, writtenBy, trust, updatedAt, preview } = older
  return (
    <li className={classes.version}>
      <div className={classes.head}>
        <span>
          <b>Version {version}</b>, by {nameWriter(writtenBy)}, <Moment at={updatedAt} />{' '}
          {trust === 'user_authored' && <StateBadge tone="good">Only people</StateBadge>}
        </span>
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Compare with current'}
        </Button>
      </div>
      {isOpen ? (
        <Compared {...props} older={older} />
      ) : (
        <Text size="sm" c="dimmed" lineClamp={2} mt={4}>
          {preview}
        </Text>
      )}
    </li>
  )
}

function Compared({ vaultId, id, version, older }: Props & { older: MemoryVersionOutline }) {
  const found = useOperation('read-memory-history', { vaultId, id, version: older.version })
  const { restore, isBusy } = useRestoreVersion(vaultId)
  const message = `Version ${older.version} restored`
  return (
    <Loaded query={found} skeleton={<SkeletonList rows={2} />}>
      {(answer) =>
        'changes' in answer && (
          <>
            <TextChanges changes={answer.changes} />
            <OnlyFor needs="editor">
              <Group justify="flex-end" mt="xs">
                <Button
                  size="xs"
                  loading={isBusy}
                  onClick={() =>
                    restore({ memoryId: id, fromVersion: older.version, expectedVersion: version, message })
                  }
                >
                  Restore version {older.version}
                </Button>
              </Group>
            </OnlyFor>
          </>
        )
      }
    </Loaded>
  )
}
