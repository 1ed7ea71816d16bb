import { Table } from '@mantine/core'
import { formatCount } from '../../components/text/time-text.ts'

interface Props {
  label: string
  /** The first heads the column of names. */
  heads: readonly string[]
  rows: readonly { name: string; counts: readonly number[] }[]
}

/** A table of names and counts that scrolls on narrow screens. */
export function CountTable({ label, heads, rows }: Props) {
  return (
    <Table.ScrollContainer minWidth={heads.length * 96} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label} mt="sm">
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, at) => (
              <Table.Th key={head} scope="col" ta={at === 0 ? 'left' : 'right'}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, counts }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              {counts.map((count, at) => (
                <Table.Td key={heads[at + 1]} ta="right">
                  {formatCount(count)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
