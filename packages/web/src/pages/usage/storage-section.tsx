import { Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { formatBytes, formatCount } from '../../components/text/time-text.ts'
import classes from './storage-section.module.css'
import { useUsage, type Usage } from './usage-parts.ts'

type Vault = Usage<'storage'>['vaults'][number]

const kinds = [
  { kind: 'memories', head: 'Memories' },
  { kind: 'notes', head: 'Notes' },
  { kind: 'messages', head: 'Messages' },
  { kind: 'documents', head: 'Documents' },
  { kind: 'sessions', head: 'Runs' },
] as const

const numbers = [...kinds.map(({ head }) => head), 'Search index', 'Total']

const pageSize = 20

export function StorageSection() {
  const [offset, setOffset] = useState(0)
  const storage = useUsage('storage', { limit: pageSize, offset })
  return (
    <section aria-label="Storage">
      <Title order={2} mb="sm">
        Storage
      </Title>
      <Loaded query={storage}>
        {({ storage: page }) => (
          <>
            <RecordTable label="Storage by vault" heads={['Vault', ...numbers, 'Measured']} numbers={numbers}>
              {page.vaults.map((vault) => (
                <VaultRow key={vault.vaultId} vault={vault} />
              ))}
            </RecordTable>
            <Pager page={page} onOffset={setOffset} />
            <Text c="dimmed" size="sm" mt="xs">
              Size of the encrypted data: texts with their versions, and the search index. The database adds some
              overhead.
            </Text>
          </>
        )}
      </Loaded>
    </section>
  )
}

function VaultRow({ vault: { name, kinds: sizes, bytes, measuredAt } }: { vault: Vault }) {
  const sizeOf = (wanted: Vault['kinds'][number]['kind']) => sizes.find(({ kind }) => kind === wanted)
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      {kinds.map(({ kind, head }) => (
        <Table.Td key={kind} data-number data-label={head} data-wide={sizeOf(kind) === undefined || undefined}>
          <Size size={sizeOf(kind)} />
        </Table.Td>
      ))}
      <Table.Td data-number data-label="Search index">
        <Bytes bytes={sizeOf('index')?.bytes ?? 0} />
      </Table.Td>
      <Table.Td data-number data-label="Total">
        <Bytes bytes={bytes} />
      </Table.Td>
      <Table.Td data-label="Measured">
        {measuredAt === null ? <Text c="dimmed">Within a minute</Text> : <Moment at={measuredAt} />}
      </Table.Td>
    </Table.Tr>
  )
}

function Size({ size }: { size: Vault['kinds'][number] | undefined }) {
  if (size === undefined) return <Bytes bytes={0} />
  return (
    <>
      {formatCount(size.records)}{' '}
      <Text size="xs" c="dimmed" className={classes.bytes}>
        {formatBytes(size.bytes)}
      </Text>
    </>
  )
}

function Bytes({ bytes }: { bytes: number }) {
  if (bytes > 0) return formatBytes(bytes)
  return (
    <Text inherit c="dimmed">
      –
    </Text>
  )
}
