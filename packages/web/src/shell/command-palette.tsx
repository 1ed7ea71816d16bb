import { useMantineColorScheme } from '@mantine/core'
import { Spotlight, useSpotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import {
  Archive,
  Brain,
  Keyboard,
  ListTodo,
  MessageCircleQuestionMark,
  LogOut,
  NotebookText,
  Plus,
  Search,
  SunMoon,
  TextSearch,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFoundRecords, useRecentRecords } from './found-records.tsx'
import { paletteStore } from './later.ts'
import { useNavigation } from './navigation.ts'
import { useMay } from './role.ts'
import { useSession } from './session.ts'
import { foundGroup, rankActions, searchGroup } from './rank-actions.ts'
import { settingsSections } from './settings-sections.ts'
import { useShell } from './shell-context.ts'
import { useOpenVault, useVaults } from './vault.ts'

const iconSize = 17

/** Ctrl/Cmd-K: what was opened last, records to create, vaults, commands, pages, settings, and records in the vault. */
export function CommandPalette() {
  const [query, setQuery] = useState('')
  const { opened } = useSpotlight(paletteStore)
  const actions: SpotlightActionGroupData[] = [
    { group: 'Recent', actions: useRecentRecords(opened) },
    { group: 'Create', actions: useCreateActions() },
    { group: 'Vaults', actions: useVaultActions() },
    { group: 'Commands', actions: useCommands() },
    { group: 'Pages', actions: usePageActions() },
    { group: 'Settings', actions: useSettingsActions(query.trim()) },
    { group: foundGroup, actions: useFoundRecords(query.trim()) },
    { group: searchGroup, actions: useSearchActions(query.trim()) },
  ]
  const ranked = rankActions(query, actions)
  const { noteMove, noteQuery } = useFirstSelected(query, ranked)
  return (
    <Spotlight
      store={paletteStore}
      actions={ranked}
      // They are ranked already.
      filter={(_, shown) => shown}
      query={query}
      onQueryChange={(next) => {
        noteQuery()
        setQuery(next)
      }}
      // Stays at its place while results arrive.
      centered={false}
      // The frame listens to it, also before the palette has loaded.
      shortcut={null}
      nothingFound="No results."
      highlightQuery
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': 'Search or jump to' } }}
      searchProps={{
        leftSection: <Search size={iconSize} aria-hidden />,
        placeholder: 'Search or jump to…',
        onKeyDown: noteMove,
        'aria-label': 'Search or jump to',
      }}
    />
  )
}

/**
 * Selects the first result again when results change, until the person moves the selection. The palette itself selects only when the
 * query changes, so results that arrive later would be shown above the selected one.
 */
function useFirstSelected(query: string, groups: readonly SpotlightActionGroupData[]) {
  const hasMoved = useRef(false)
  const shown = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ')
  useEffect(() => {
    if (hasMoved.current || query.trim() === '' || shown === '') return
    const rows = document.querySelectorAll('.mantine-Spotlight-action')
    for (const [at, row] of rows.entries()) {
      if (at === 0) row.setAttribute('data-selected', 'true')
      else row.removeAttribute('data-selected')
    }
  }, [query, shown])
  return {
    noteQuery: () => void (hasMoved.current = false),
    noteMove({ key }: { key: string }) {
      if (key === 'ArrowDown' || key === 'ArrowUp') hasMoved.current = true
    },
  }
}

function usePageActions(): SpotlightActionData[] {
  const navigate = useNavigate()
  const navigation = useNavigation()
  return navigation.map(({ path, title, icon: Icon, words, goKey }) => ({
    id: path,
    label: title,
    keywords: words ?? '',
    leftSection: <Icon size={iconSize} aria-hidden />,
    rightSection: <kbd>g {goKey}</kbd>,
    onClick: () => void navigate({ to: path }),
  }))
}

/** A page opens its form if the URL contains `new=true`. `inVault`: creates in the vault that the page shows. */
const creatable = [
  { path: '/memories', label: 'New memory', keywords: 'create memory remember write', inVault: true },
  { path: '/notes', label: 'New note', keywords: 'create note write markdown', inVault: true },
  { path: '/tasks', label: 'New task', keywords: 'create task to do board', inVault: true },
  { path: '/messages', label: 'New message', keywords: 'write message directive send tell agent', inVault: false },
  { path: '/agents', label: 'New agent', keywords: 'create agent integration key', inVault: false },
  { path: '/vaults', label: 'New vault', keywords: 'create vault', inVault: false },
  { path: '/webhooks', label: 'New webhook', keywords: 'create webhook endpoint', inVault: false },
] as const

function useCreateActions(): SpotlightActionData[] {
  const navigate = useNavigate()
  const mayEdit = useMay('editor')
  return creatable
    .filter(({ inVault }) => mayEdit || !inVault)
    .map(({ path, label, keywords }) => ({
      id: `new ${path}`,
      label,
      keywords,
      leftSection: <Plus size={iconSize} aria-hidden />,
      onClick: () => void navigate({ to: path, search: { new: true } }),
    }))
}

/** The same query on the pages that can search. */
function useSearchActions(query: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const { vault } = useVaults()
  const { data: session } = useSession()
  if (query === '') return []
  const ask = async (vaultId: string) => {
    await navigate({ to: '/ask' })
    const { askQuestion } = await import('../pages/ask/ask-state.ts')
    await askQuestion(vaultId, query)
  }
  return [
    ...(session?.canAsk === true && vault !== undefined
      ? [
          {
            id: 'ask',
            label: `Ask “${query}”`,
            leftSection: <MessageCircleQuestionMark size={iconSize} aria-hidden />,
            onClick: () => void ask(vault.id),
          },
        ]
      : []),
    {
      id: 'search memories',
      label: `Search memories for “${query}”`,
      leftSection: <Brain size={iconSize} aria-hidden />,
      onClick: () => void navigate({ to: '/memories', search: { q: query } }),
    },
    {
      id: 'search notes',
      label: `Search notes for “${query}”`,
      leftSection: <NotebookText size={iconSize} aria-hidden />,
      onClick: () => void navigate({ to: '/notes', search: { q: query } }),
    },
    {
      id: 'search tasks',
      label: `Search tasks for “${query}”`,
      leftSection: <ListTodo size={iconSize} aria-hidden />,
      onClick: () => void navigate({ to: '/tasks', search: { view: 'list', q: query } }),
    },
    {
      id: 'search lab',
      label: `Try “${query}” in the search lab`,
      leftSection: <TextSearch size={iconSize} aria-hidden />,
      onClick: () => void navigate({ to: '/search', search: { q: query } }),
    },
  ]
}

/** Without a query, the page Settings leads to them, and the palette opens faster. */
function useSettingsActions(query: string): SpotlightActionData[] {
  const navigate = useNavigate()
  if (query === '') return []
  return settingsSections.map(({ name, title, icon: Icon, words }) => ({
    id: `settings ${name}`,
    label: `Settings: ${title}`,
    keywords: words,
    leftSection: <Icon size={iconSize} aria-hidden />,
    onClick: () => void navigate({ to: `/settings/${name}` }),
  }))
}

function useVaultActions(): SpotlightActionData[] {
  const { vaults, vault } = useVaults()
  const openVault = useOpenVault()
  return vaults
    .filter(({ id }) => id !== vault?.id)
    .map(({ id, name }) => ({
      id: `vault ${id}`,
      label: `Open vault ${name}`,
      leftSection: <Archive size={iconSize} aria-hidden />,
      onClick: () => openVault(id),
    }))
}

function useCommands(): SpotlightActionData[] {
  const { showShortcuts, leave } = useShell()
  const { toggleColorScheme } = useMantineColorScheme()
  return [
    {
      id: 'theme',
      label: 'Switch between light and dark',
      keywords: 'theme appearance',
      leftSection: <SunMoon size={iconSize} aria-hidden />,
      onClick: () => toggleColorScheme(),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      keywords: 'keys help',
      leftSection: <Keyboard size={iconSize} aria-hidden />,
      rightSection: <kbd>?</kbd>,
      onClick: showShortcuts,
    },
    {
      id: 'sign-out',
      label: 'Sign out',
      keywords: 'log out leave',
      leftSection: <LogOut size={iconSize} aria-hidden />,
      onClick: leave,
    },
  ]
}
