import { Button, Group, Text } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { formatBytes, formatMoment } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import type { Backups } from './backups-section.tsx'
import styles from './settings-page.module.css'

const refreshes = ['list-backups', 'check-system'] as const

interface Props {
  backup: Backups['items'][number]
  /** Called after the row and its focused button are gone. */
  onDeleted: () => void
}

export function BackupRow({ backup: { id, file, bytes, createdAt, kind, checkedAt, problem }, onDeleted }: Props) {
  const name = formatMoment(createdAt)
  const verify = useAction('verify-backup', {
    refreshes,
    onDone: ({ backup }) => toast(backup.problem === null ? 'Backup verified' : 'Backup can’t be restored'),
  })
  const remove = useAction('delete-backup', {
    refreshes,
    onDone: () => {
      toast('Backup deleted')
      onDeleted()
    },
  })
  const ask = () =>
    confirmStep({
      title: `Delete the backup of ${name}?`,
      body: 'This deletes the file permanently.',
      confirmLabel: 'Delete',
      onConfirm: () => remove.mutate({ id }, { onError: (error) => toastError(error) }),
    })
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>
          {name}
          <StateBadge tone={problem === null ? 'good' : 'bad'}>
            {problem === null ? 'Verified' : 'Can’t be restored'}
          </StateBadge>
        </div>
        <Text size="sm" c="dimmed">
          {formatBytes(bytes)} · {kind === 'automatic' ? 'automatic · ' : ''}verified <Moment at={checkedAt} />
        </Text>
        {problem !== null && <Text size="sm">{problem}</Text>}
        <Text size="xs" c="dimmed" component="code">
          {file.slice(file.lastIndexOf('/') + 1)}
        </Text>
      </div>
      <Group gap="xs" className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          onClick={() => verify.mutate({ id }, { onError: (error) => toastError(error) })}
          loading={verify.isPending}
          aria-label={`Verify the backup of ${name}`}
        >
          Verify
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={ask}
          loading={remove.isPending}
          aria-label={`Delete the backup of ${name}`}
        >
          Delete
        </Button>
      </Group>
    </li>
  )
}
