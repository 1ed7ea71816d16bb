import { Alert, Button, Modal, NumberInput, Radio, Stack } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction, useOperation } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'

interface Props {
  vaultId: string
  archivedDays: number | null
  onClose: () => void
}

const maxDays = 3650

/** Sets how long archived records are kept. Warns about records that the new setting would delete soon. */
export function KeepDialog({ vaultId, archivedDays, onClose }: Props) {
  const [isForever, setIsForever] = useState(archivedDays === null)
  const [days, setDays] = useState<number | ''>(archivedDays ?? 90)
  const isValid = isForever || (days !== '' && Number.isInteger(days) && days >= 1 && days <= maxDays)
  const isShorter = !isForever && isValid && days !== '' && (archivedDays === null || days < archivedDays)
  const { data } = useOperation(
    'read-trash',
    { vaultId, olderThanDays: days === '' ? undefined : days },
    { enabled: isShorter },
  )
  const due = isShorter ? (data?.trash.due ?? 0) : 0
  const save = useAction('update-settings', {
    refreshes: ['read-trash'],
    onDone({ settings }) {
      const set = settings.retention.archivedDays
      toast(set === null ? 'Archived records are kept forever' : `Archived records are kept for ${countOf(set, 'day')}`)
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title="Delete automatically">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isValid) return
          const wanted = isForever || days === '' ? null : days
          save.mutate(
            { vaultId, settings: { retention: { archivedDays: wanted } } },
            { onError: (error) => toastError(error) },
          )
        }}
      >
        <Stack>
          <Radio.Group
            label="Memories and tasks in this vault"
            description="Notes stay in the trash until you delete them."
            value={isForever ? 'ever' : 'days'}
            onChange={(value) => setIsForever(value === 'ever')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="ever" label="Until you delete them" />
              <Radio value="days" label="For a number of days, then delete them permanently" />
            </Stack>
          </Radio.Group>
          {!isForever && (
            <NumberInput
              label="Days"
              min={1}
              max={maxDays}
              allowDecimal={false}
              maw={140}
              value={days}
              onChange={(value) => setDays(typeof value === 'number' ? value : '')}
              error={isValid ? null : `Enter a number from 1 to ${maxDays}`}
            />
          )}
          {due > 0 && (
            <Alert color="red" variant="light" icon={<Trash2 size={16} aria-hidden />} role="alert">
              {countOf(due, 'record')} archived longer ago will be deleted permanently soon after you save.
            </Alert>
          )}
          <DialogButtons onCancel={onClose}>
            <Button type="submit" disabled={!isValid} loading={save.isPending} {...(due > 0 && { color: 'red' })}>
              Save
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}
