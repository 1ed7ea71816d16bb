import { Button } from '@mantine/core'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import type { Ref, RefObject } from 'react'
import { call } from '../../api/call.ts'
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
  const backups = useOperation('list-backups', {}).data?.backups
  const isRunning = backups != null && backups.running !== null
  useOperation('list-backups', {}, { refetchInterval: isRunning ? followMs : false })
  const create = useAction('create-backup', {
    refreshes: ['list-backups'],
    onDone: ({ running }) => void follow(client, running.id).catch((error: unknown) => toastError(error)),
  })
  return {
    isRunning: create.isPending || isRunning,
    start: () => create.mutate({}, { onError: (error) => toastError(error) }),
  }
}

const followMs = 500

/** Doesn't depend on the button: it disappears with the report that there is no backup, perhaps before the list has the new one. */
async function follow(client: QueryClient, id: string): Promise<void> {
  let { backups } = await call('list-backups', {})
  while (backups?.running?.id === id) {
    await new Promise((resolve) => setTimeout(resolve, followMs))
    backups = (await call('list-backups', {})).backups
  }
  if (backups?.items.some((backup) => backup.id === id)) toast('Backup created and verified')
  await refresh(client, ['list-backups', 'check-system'])
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
