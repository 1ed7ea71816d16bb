import { describeNotice } from '@holdfast/transfer/notice'
import type { ImportReport } from '@holdfast/transfer/run-import'
import { Stack, Table, Text, Title } from '@mantine/core'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { kindTitle } from './kind-names.ts'

/** The number of records by kind and result, and why some were skipped. */
export function ImportFindings({ report }: { report: ImportReport }) {
  const { counts, samples, notices, problems, dryRun } = report
  return (
    <Stack gap="md">
      <RecordTable
        label="Records by kind"
        heads={['Kind', dryRun ? 'To create' : 'Created', 'Existing', 'Skipped', 'Failed']}
      >
        {Object.entries(counts).map(([kind, { created, restored, existing, left, failed }]) => (
          <Table.Tr key={kind}>
            <Table.Td fw={550}>{kindTitle(kind)}</Table.Td>
            <Table.Td data-label={dryRun ? 'To create' : 'Created'}>
              {formatCount(created + restored)}
              {restored > 0 && ` (${formatCount(restored)} restored)`}
            </Table.Td>
            <Table.Td data-label="Existing">{formatCount(existing)}</Table.Td>
            <Table.Td data-label="Skipped">{formatCount(left)}</Table.Td>
            <Table.Td data-label="Failed">{formatCount(failed)}</Table.Td>
          </Table.Tr>
        ))}
      </RecordTable>
      {dryRun && samples.length > 0 && <List title="Examples" items={samples} />}
      {notices.length > 0 && <List title="Good to know" items={notices.map(describeNotice)} />}
      {problems.length > 0 && (
        <List title="Not imported" items={problems.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`)} />
      )}
    </Stack>
  )
}

const shownItems = 10

function List({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <section>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {[...new Set(items)].slice(0, shownItems).map((item) => (
          <li key={item}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {item}
            </Text>
          </li>
        ))}
      </ul>
      {items.length > shownItems && (
        <Text size="sm" c="dimmed" mt={4}>
          and {formatCount(items.length - shownItems)} more
        </Text>
      )}
    </section>
  )
}
