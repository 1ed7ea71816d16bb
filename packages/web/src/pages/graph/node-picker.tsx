import type { GraphNode } from '@holdfast/client/dashboard'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useOperation, usePage } from '../../api/queries.ts'

/** The chosen node. It may not be part of the graph yet. */
export type PickedNode = Pick<GraphNode, 'id' | 'type' | 'title'>

interface Props {
  vaultId: string
  label: string
  placeholder?: string
  isLabelHidden?: boolean
  isFilter?: boolean
  error?: string | undefined
  picked: PickedNode | undefined
  onPick: (node: PickedNode | undefined) => void
  /** A node that can't be chosen. */
  exceptId?: string
}

const typingPauseMs = 250
const maxShown = 8

/** Picks a note or memory of the vault. The server searches, because the browser stores no content. */
export function NodePicker({ vaultId, label, placeholder, isLabelHidden = false, isFilter = false, ...props }: Props) {
  const { error, picked, onPick, exceptId } = props
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), typingPauseMs)
  const isAsked = query !== '' && query !== picked?.title
  const notes = useOperation('suggest-notes', { vaultId, q: query, limit: maxShown }, { enabled: isAsked })
  const memories = usePage('list-memories', { vaultId, q: query, limit: maxShown }, { enabled: isAsked })
  const found: PickedNode[] = isAsked
    ? [
        ...(notes.data?.notes ?? []).map(({ noteId, title }) => ({ id: noteId, type: 'note' as const, title })),
        ...(memories.data?.memories ?? []).map(({ id, title }) => ({ id, type: 'memory' as const, title })),
      ]
    : []
  const options = (picked === undefined ? found : [picked, ...found.filter(({ id }) => id !== picked.id)]).filter(
    ({ id }) => id !== exceptId,
  )
  const groupOf = (type: PickedNode['type'], group: string) => ({
    group,
    items: options.filter((node) => node.type === type).map(({ id, title }) => ({ value: id, label: clip(title) })),
  })
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      {...(placeholder !== undefined && { placeholder })}
      {...(isFilter && { 'data-filter': true })}
      searchable
      clearable
      error={error}
      value={picked?.id ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has filtered already.
      filter={({ options: all }) => all}
      data={[groupOf('note', 'Notes'), groupOf('memory', 'Memories and tasks')].filter(({ items }) => items.length > 0)}
      onChange={(id) => onPick(options.find((node) => node.id === id))}
      nothingFoundMessage={isAsked && !notes.isFetching && !memories.isFetching ? 'No matches.' : 'Type to search.'}
      maxDropdownHeight={320}
      comboboxProps={{ width: 'target' }}
    />
  )
}

const longest = 90
const clip = (title: string) => (title.length > longest ? `${title.slice(0, longest - 1)}…` : title)
