import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { printCsv } from '../../components/text/print-csv.ts'
import { saveFile } from '../../components/text/save-file.ts'
import { toastError } from '../../shell/toasts.tsx'
import { callsInput, type Range, type Shown } from './shown-range.ts'
import { readUsage, type Usage } from './usage-parts.ts'

interface Props {
  shown: Shown
  range: Range
}

const files = [
  { name: 'calls', label: 'Calls over time' },
  { name: 'operations', label: 'Calls by operation' },
  { name: 'agents', label: 'Calls by agent' },
  { name: 'memories', label: 'Memories over time' },
  { name: 'months', label: 'Units by month' },
] as const

type FileName = (typeof files)[number]['name']

export function CsvMenu(props: Props) {
  const save = useMutation({
    mutationFn: (name: FileName) => print(name, props),
    onSuccess: (text, name) => saveFile(`holdfast-usage-${name}.csv`, new Blob([text], { type: 'text/csv' })),
    onError: (error) => toastError(error),
  })
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} loading={save.isPending}>
          Export CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(({ name, label }) => (
          <Menu.Item key={name} onClick={() => save.mutate(name)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

async function print(name: FileName, { shown, range }: Props): Promise<string> {
  if (name === 'months') return printMonths((await readUsage('units')).units)
  if (name === 'memories') {
    const { memories } = await readUsage('memories', range)
    const rows = memories.series.map(({ start, created, total }) => [start, created, total])
    return printCsv(['from', 'created', 'total'], rows)
  }
  const { calls } = await readUsage('calls', callsInput(shown, range, name === 'agents' ? 'agent' : 'operation'))
  return name === 'calls' ? printSeries(calls) : printRows(calls)
}

const printSeries = ({ series }: Usage<'calls'>) =>
  printCsv(
    ['from', 'calls', 'errors', 'refused', 'embeddingTokens'],
    series.map(({ start, calls, errors, refused, embeddingTokens }) => [
      start,
      calls,
      errors,
      refused,
      embeddingTokens,
    ]),
  )

const rowColumns = [
  'operation',
  'integrationId',
  'label',
  'calls',
  'errors',
  'refused',
  'p50Ms',
  'p95Ms',
  'embeddingTokens',
] as const

const printRows = ({ rows }: Usage<'calls'>) =>
  printCsv(
    rowColumns,
    rows.map((row) => rowColumns.map((column) => row[column])),
  )

const printMonths = ({ months }: Usage<'units'>) =>
  printCsv(
    ['month', 'read', 'write', 'search', 'ingest', 'embeddingTokens'],
    months.map(({ month, units: { read, write, search, ingest }, embeddingTokens }) => [
      month,
      read,
      write,
      search,
      ingest,
      embeddingTokens,
    ]),
  )
