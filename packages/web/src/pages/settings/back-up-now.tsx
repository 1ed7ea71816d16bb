import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { useEffect, useRef, type Ref, type RefObject } from 'react'
import { refresh, useAction, useOperation } from '../../api/queries.ts'
import { useFocusAfter } from '../../components/feedback/use-focus-after.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

interface BackUp {
  isRunning: boolean
  start: () => void
}

/** Starts a backup, follows it, and says when it is there. */
export function useBackUp(): BackUp {
  const client = useQueryClient()
  const awaitedId = useRef<string>(undefined)
  const backups = useOperation('list-backups', {}).data?.backups
  const isRunning = backups != null && backups.running !== null
  useOperation('list-backups', {}, { refetchInterval: isRunning ? 500 : false })
  const create = useAction('create-backup', {
    refreshes: ['list-backups'],
    onDone: (created) => void (awaitedId.current = created.running.id),
  })
  useEffect(() => {
    if (awaitedId.current === undefined || backups == null || isRunning) return
    if (backups.items.some(({ id }) => id === awaitedId.current)) toast('Backup created and verified')
    awaitedId.current = undefined
    void refresh(client, ['check-system'])
  }, [backups, isRunning, client])
  return {
    isRunning: create.isPending || isRunning,
    start: () => create.mutate({}, { onError: (error) => toastError(error) }),
  }
}

interface Props extends BackUp {
  /** Next to other things. */
  isSmall?: boolean
  ref?: Ref<HTMLButtonElement>
}

export const BackUpNow = ({ isRunning, start, isSmall = false, ref }: Props) => (
  <Button
    {...(ref !== undefined && { ref })}
    {...(isSmall && { size: 'xs' })}
    leftSection={<Save size={isSmall ? 14 : 16} aria-hidden />}
    onClick={start}
    loading={isRunning}
  >
    Back up now
  </Button>
)

/** The button at a report that there is no backup. `list`: gets the focus when the report disappears. */
export function FixBackup({ list }: { list: RefObject<HTMLElement | null> }) {
  const { start, ...backUp } = useBackUp()
  const noteUse = useFocusAfter(() => list.current)
  const fix = () => {
    noteUse()
    start()
  }
  return <BackUpNow {...backUp} start={fix} isSmall />
}
