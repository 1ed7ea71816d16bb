import { Anchor, Table, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { documentLooks, type DocumentType } from './document-looks.ts'
import classes from './documents-page.module.css'

interface Row {
  documentType: DocumentType
  /** One per head, without the name column. */
  cells: readonly ReactNode[]
}

interface Props {
  /** Column heads after the name. */
  heads: readonly string[]
  rows: readonly Row[]
  /** The document's type is appended to this path. */
  path: string
}

/** The four documents. A click on a row opens it. */
export function DocumentTable({ heads, rows, path }: Props) {
  const navigate = useNavigate()
  const { setCurrent } = useRowFocus(rows.map(({ documentType }) => documentType))
  return (
    <div className={classes.frame}>
      <RecordTable rowsOpen label="Documents" heads={['Document', ...heads]} numbers={['Characters']}>
        {rows.map(({ documentType, cells }) => (
          <Table.Tr
            key={documentType}
            onClick={() => void navigate({ to: `${path}/${documentType}` })}
            onFocus={() => setCurrent(documentType)}
          >
            <Table.Td>
              <Name documentType={documentType} to={`${path}/${documentType}`} />
            </Table.Td>
            {heads.map((head, at) => (
              <Table.Td key={head} {...hintOf(head)}>
                {cells[at]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </RecordTable>
    </div>
  )
}

/** What small screens show next to the value. */
function hintOf(head: string) {
  if (head === 'Characters') return { 'data-number': true, 'data-wide': true }
  return head === 'Changed' ? {} : { 'data-lower': true, 'data-label': head }
}

function Name({ documentType, to }: { documentType: DocumentType; to: string }) {
  const { title, icon: Icon, purpose } = documentLooks[documentType]
  return (
    <div className={classes.name}>
      <Icon size={18} strokeWidth={1.7} aria-hidden className={classes.icon} />
      <div>
        <Anchor
          renderRoot={(props) => <Link {...props} to={to} />}
          c="inherit"
          fw={550}
          data-row={documentType}
          onClick={(event) => event.stopPropagation()}
        >
          {title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {purpose}
        </Text>
      </div>
    </div>
  )
}
