import { Anchor, Menu, Table, Text, VisuallyHidden } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { ConfirmByName } from '../../components/feedback/confirm-by-name.tsx'
import listClasses from '../../components/lists/list-table.module.css'
import { RowMenu } from '../../components/lists/row-menu.tsx'
import { Moment } from '../../components/text/moment.tsx'
import {
  RowCheck,
  selectByTap,
  SelectAll,
  SelectLine,
  useTapsSelect,
  type Selection,
} from '../../components/lists/selection.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { deletionTime, nameOf, wordsOf, type Kind, type TrashRecord } from './trash-state.ts'
import { useTrashActions } from './use-trash-actions.ts'
import { BulkBar, BulkButton, useSelectableRows } from '../../components/lists/record-list.tsx'
import { OnlyFor } from '../../components/frame/only-for.tsx'
import { useMay } from '../../shell/role.ts'

interface Props {
  vaultId: string
  kind: Kind
  rows: readonly TrashRecord[]
  archivedDays: number | null
}

const removedText: Readonly<Record<Kind, string>> = { memories: 'Archived', tasks: 'Archived', notes: 'Moved to trash' }

export function TrashTable({ vaultId, kind, rows, archivedDays }: Props) {
  const { selection, setCurrent } = useSelectableRows(rows, ({ id }) => id, {})
  const mayEdit = useMay('editor')
  const tapsSelect = useTapsSelect(selection)
  const [erased, setErased] = useState<readonly string[]>([])
  const { restore, erase, isBusy } = useTrashActions(vaultId, kind)
  return (
    <>
      {mayEdit && <SelectLine selection={selection} />}
      <div className={listClasses.frame}>
        <Table className={listClasses.table} highlightOnHover data-selecting={selection.isOn} aria-label="Trash">
          <Table.Thead>
            <Table.Tr>
              {mayEdit && <SelectAll selection={selection} />}
              <Table.Th scope="col">{wordsOf[kind].title}</Table.Th>
              <Table.Th scope="col" className={listClasses.wide}>
                Written by
              </Table.Th>
              <Table.Th scope="col" className={listClasses.medium}>
                {removedText[kind]}
              </Table.Th>
              <Table.Th scope="col" className={listClasses.medium}>
                Deletes on
              </Table.Th>
              {mayEdit && (
                <Table.Th scope="col" w={52}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <TrashRow
                key={row.id}
                row={row}
                kind={kind}
                archivedDays={kind === 'notes' ? null : archivedDays}
                isSelected={selection.ids.includes(row.id)}
                tapsSelect={tapsSelect}
                onToggle={() => selection.toggle(row.id)}
                onFocus={() => setCurrent(row.id)}
                onRestore={() => void restore([row.id], selection.clear)}
                onErase={() => setErased([row.id])}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {selection.ids.length > 0 && (
        <SelectedBar
          kind={kind}
          selection={selection}
          isBusy={isBusy}
          onRestore={() => void restore(selection.ids, selection.clear)}
          onErase={() => setErased(selection.ids)}
        />
      )}
      <EraseQuestion
        kind={kind}
        count={erased.length}
        isBusy={isBusy}
        onClose={() => setErased([])}
        onConfirm={() =>
          void erase(erased, () => {
            selection.clear()
            setErased([])
          })
        }
      />
    </>
  )
}

interface BarProps {
  kind: Kind
  selection: Selection
  isBusy: boolean
  onRestore: () => void
  onErase: () => void
}

function SelectedBar({ kind, selection, isBusy, onRestore, onErase }: BarProps) {
  const { one, many } = wordsOf[kind]
  return (
    <BulkBar one={one} many={many} count={selection.ids.length} onClear={selection.clear}>
      <BulkButton icon={ArchiveRestore} isBusy={isBusy} onClick={onRestore}>
        Restore
      </BulkButton>
      <OnlyFor needs="admin">
        <BulkButton icon={Trash2} isDisabled={isBusy} onClick={onErase}>
          Delete permanently
        </BulkButton>
      </OnlyFor>
    </BulkBar>
  )
}

interface QuestionProps {
  kind: Kind
  /** 0 closes the dialog. */
  count: number
  isBusy: boolean
  onClose: () => void
  onConfirm: () => void
}

function EraseQuestion({ kind, count, isBusy, onClose, onConfirm }: QuestionProps) {
  const { one, many } = wordsOf[kind]
  return (
    <ConfirmByName
      isOpen={count > 0}
      onClose={onClose}
      name={count === 1 ? 'delete' : `delete ${count}`}
      title={`Delete ${countOf(count, one, many)} permanently?`}
      body={
        count === 1
          ? `This also deletes its links${kind === 'notes' ? '' : ' and the turns of conversations it was found in'}. Only a backup can bring it back. While it is here, agents can’t find it, but you can still read it.`
          : `This also deletes their links${kind === 'notes' ? '' : ' and the turns of conversations they were found in'}. Only a backup can bring them back. While they are here, agents can’t find them, but you can still read them.`
      }
      confirmLabel="Delete permanently"
      isBusy={isBusy}
      onConfirm={onConfirm}
    />
  )
}

interface RowProps {
  row: TrashRecord
  kind: Kind
  archivedDays: number | null
  isSelected: boolean
  tapsSelect: boolean
  onToggle: () => void
  onFocus: () => void
  onRestore: () => void
  onErase: () => void
}

function TrashRow(props: RowProps) {
  const { row, kind, archivedDays, isSelected, tapsSelect, onToggle, onFocus, onRestore, onErase } = props
  const name = nameOf(row)
  const end = deletionTime(row.at, archivedDays)
  const mayEdit = useMay('editor')
  const navigate = useNavigate()
  const place = { to: `${wordsOf[kind].path}/${row.id}`, search: kind === 'memories' ? { state: 'archived' } : {} }
  return (
    <Table.Tr
      {...(tapsSelect && { onClickCapture: selectByTap(onToggle) })}
      onClick={() => void navigate(place)}
      onFocus={onFocus}
      data-selected={isSelected}
    >
      {mayEdit && <RowCheck label={`Select ${name}`} isChecked={isSelected} onToggle={onToggle} />}
      <Table.Td className={listClasses.main}>
        <Anchor
          renderRoot={(link) => <Link {...link} {...place} />}
          c="inherit"
          className={listClasses.title}
          data-row={row.id}
          onClick={(event) => event.stopPropagation()}
        >
          {name}
        </Anchor>
        {row.preview !== '' && row.preview !== name && (
          <Text size="xs" c="dimmed" lineClamp={1} mt={2}>
            {row.preview}
          </Text>
        )}
        <div className={listClasses.below}>
          <span className={listClasses.folded}>
            <span>{nameOfAgent(row.agentId)}</span>
            <span>
              {removedText[kind].toLowerCase()} <Moment at={row.at} />
            </span>
            {end !== null && (
              <span>
                deletes on <Moment at={end} />
              </span>
            )}
          </span>
        </div>
      </Table.Td>
      <Table.Td className={`${listClasses.wide} ${listClasses.agent}`}>{nameOfAgent(row.agentId)}</Table.Td>
      <Table.Td className={`${listClasses.medium} ${listClasses.tight}`}>
        <Moment at={row.at} />
      </Table.Td>
      <Table.Td className={`${listClasses.medium} ${listClasses.tight}`}>
        <Moment at={end} never="Never" />
      </Table.Td>
      {mayEdit && (
        <Table.Td onClick={(event) => event.stopPropagation()}>
          <RowMenu label={`Actions for ${name}`}>
            <Menu.Item leftSection={<ArchiveRestore size={15} aria-hidden />} onClick={onRestore}>
              Restore
            </Menu.Item>
            <OnlyFor needs="admin">
              <Menu.Item color="red" leftSection={<Trash2 size={15} aria-hidden />} onClick={onErase}>
                Delete permanently
              </Menu.Item>
            </OnlyFor>
          </RowMenu>
        </Table.Td>
      )}
    </Table.Tr>
  )
}
