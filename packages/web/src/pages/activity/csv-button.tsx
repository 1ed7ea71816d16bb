import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ActivityEntry } from '@holdfast/client/dashboard'
import { Download } from 'lucide-react'
import { call, type InputOf } from '../../api/call.ts'
import { saveFile } from '../../components/text/save-file.ts'
import { formatCount } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { printEntries } from './print-entries.ts'

const rowsAtOnce = 100
const maxRows = 10_000

/** Reads all entries that match the filter, page by page, up to `maxRows`. */
async function readAll(input: InputOf<'list-activity'>): Promise<{ entries: ActivityEntry[]; total: number }> {
  const entries = new Map<string, ActivityEntry>()
  // Entries added while reading would shift rows into the next page.
  const until = input.until ?? new Date().toISOString()
  const wanted = { ...input, until, limit: rowsAtOnce }
  for (let offset = 0; ; offset += rowsAtOnce) {
    const { activity, total, hasMore } = await call('list-activity', { ...wanted, offset })
    for (const entry of activity) entries.set(entry.id, entry)
    if (!hasMore || entries.size >= maxRows) return { entries: [...entries.values()], total }
  }
}

export function CsvButton({ input }: { input: InputOf<'list-activity'> }) {
  const save = useMutation({
    mutationFn: () => readAll(input),
    onSuccess({ entries, total }) {
      saveFile('holdfast-activity.csv', new Blob([printEntries(entries)], { type: 'text/csv' }))
      if (total > entries.length)
        toast(`Saved the newest ${formatCount(entries.length)} of ${formatCount(total)} entries`)
    },
    onError: (error) => toastError(error),
  })
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      Export CSV
    </Button>
  )
}
