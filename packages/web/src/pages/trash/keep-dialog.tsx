import { Alert, Button, Group, Modal, NumberInput, Radio, Stack } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAction, useOperation } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

interface Props {
  vaultId: string
  archivedDays: number | null
  onClose: () => void
}

const maxDays = 3650

/** How long what is archived stays. Says first what would go at once. */
export function KeepDialog({ vaultId, archivedDays, onClose }: Props) {
  const [isForEver, setIsForEver] = useState(archivedDays === null)
  const [days, setDays] = useState<number | ''>(archivedDays ?? 90)
  const isRight = isForEver || (days !== '' && Number.isInteger(days) && days >= 1 && days <= maxDays)
  const isShorter = !isForEver && isRight && days !== '' && (archivedDays === null || days < archivedDays)
  const { data } = useOperation(
    'read-trash',
    { vaultId, olderThanDays: days === '' ? undefined : days },
    { enabled: isShorter },
  )
  const due = isShorter ? (data?.trash.due ?? 0) : 0
  const save = useAction('update-trash-settings', {
    refreshes: ['read-trash'],
    onDone({ archivedDays: set }) {
      toast(
        set === null ? 'Archived records are kept for ever' : `Archived records are kept for ${countOf(set, 'day')}`,
      )
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title="How long are archived records kept?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isRight) return
          const wanted = isForEver || days === '' ? null : days
          save.mutate({ vaultId, archivedDays: wanted }, { onError: (error) => toastError(error) })
        }}
      >
        <Stack>
          <Radio.Group
            label="Memories and tasks of this vault"
            description="Notes stay in the trash until you delete them."
            value={isForEver ? 'ever' : 'days'}
            onChange={(value) => setIsForEver(value === 'ever')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="ever" label="For ever, until you delete them" />
              <Radio value="days" label="For some days, then they are deleted for good" />
            </Stack>
          </Radio.Group>
          {!isForEver && (
            <NumberInput
              label="Days"
              min={1}
              max={maxDays}
              allowDecimal={false}
              maw={140}
              value={days}
              onChange={(value) => setDays(typeof value === 'number' ? value : '')}
              error={isRight ? null : `A number from 1 to ${maxDays}`}
            />
          )}
          {due > 0 && (
            <Alert color="red" variant="light" icon={<Trash2 size={16} aria-hidden />} role="alert">
              {countOf(due, 'record')} {due === 1 ? 'was' : 'were'} archived longer ago than that, and will be deleted
              for good soon after you save this.
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isRight} loading={save.isPending} {...(due > 0 && { color: 'red' })}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
