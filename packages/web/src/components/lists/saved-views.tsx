import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Bookmark, Check, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { setPreferences, usePreference, type ListName, type SavedView } from '../../shell/preferences.ts'
import type { UrlState } from '../../shell/url-state.ts'
import classes from './saved-views.module.css'

interface Props<State> {
  list: ListName
  vaultId: string
  url: UrlState<State>
  state: State
  onApply: (state: State) => void
}

/** The filters of a list that a person has named. */
export function SavedViews<State>({ list, vaultId, url, state, onApply }: Props<State>) {
  const [isOpen, open] = useDisclosure()
  const all = usePreference('views')
  const views = all[vaultId] ?? []
  const search = searchOf(url, state)
  const current = views.find((view) => view.list === list && isSame(view.search, search))
  const set = (next: readonly SavedView[]) => setPreferences({ views: { ...all, [vaultId]: next } })
  return (
    <Popover position="bottom-end" shadow="md" trapFocus opened={isOpen} onChange={(now) => !now && open.close()}>
      <Popover.Target>
        <Button variant="default" leftSection={<Bookmark size={15} aria-hidden />} onClick={open.toggle} maw={200}>
          {current?.name ?? 'Views'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw={320}>
        <Stack gap="sm">
          <List
            views={views.filter((view) => view.list === list)}
            current={current}
            onApply={(view) => {
              onApply(url.read({ ...view.search }))
              open.close()
            }}
            onDelete={(view) => set(views.filter((other) => other !== view))}
          />
          <SaveForm
            canSave={Object.keys(search).length > 0 && current === undefined}
            onSave={(name) =>
              set([...views.filter((view) => view.list !== list || view.name !== name), { list, name, search }])
            }
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** What the URL says about the filters. A view opens the first page, and no form. */
const searchOf = <State,>(url: UrlState<State>, state: State) => {
  const { offset: _offset, new: _new, into: _into, ...search } = url.write({}, state as Parameters<typeof url.write>[1])
  return search
}

const isSame = (a: SavedView['search'], b: SavedView['search']) => printed(a) === printed(b)
const printed = (search: SavedView['search']) =>
  JSON.stringify(Object.entries(search).toSorted(([a], [b]) => (a < b ? -1 : 1)))

interface ListProps {
  views: readonly SavedView[]
  current: SavedView | undefined
  onApply: (view: SavedView) => void
  onDelete: (view: SavedView) => void
}

function List({ views, current, onApply, onDelete }: ListProps) {
  if (views.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No saved views yet. Set filters, then save them under a name.
      </Text>
    )
  return (
    <ul className={classes.views} aria-label="Views">
      {views.map((view) => (
        <li key={view.name} className={classes.view}>
          <UnstyledButton className={classes.name} aria-pressed={view === current} onClick={() => onApply(view)}>
            {view.name}
            {view === current && <Check size={15} aria-hidden />}
          </UnstyledButton>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Delete view ${view.name}`}
            onClick={() => onDelete(view)}
          >
            <Trash2 size={15} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}

const maxNameChars = 60

function SaveForm({ canSave, onSave }: { canSave: boolean; onSave: (name: string) => void }) {
  const [name, setName] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') return
        onSave(name.trim())
        setName('')
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          label="Save the current filters"
          placeholder="Name"
          maxLength={maxNameChars}
          disabled={!canSave}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          flex={1}
        />
        <Button type="submit" variant="default" disabled={!canSave || name.trim() === ''}>
          Save
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        Views stay in this browser until you delete them, also after you sign out.
      </Text>
    </form>
  )
}
