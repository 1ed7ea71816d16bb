import { ActionIcon, Anchor, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useMemo } from 'react'
import { useLiveUpdates } from '../api/live.ts'
import { confirmStep } from '../components/feedback/confirm.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { CommandPalette } from './command-palette.tsx'
import { DropToImport } from './drop-to-import.tsx'
import { LiveMark } from './live-mark.tsx'
import { useNavigation } from './navigation.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { Rail } from './rail.tsx'
import { RoleContext, roleIn } from './role.ts'
import { hasUnsavedText, signOut } from './session.ts'
import { ShellContext } from './shell-context.ts'
import classes from './shell.module.css'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import { useShortcut } from './shortcuts.ts'
import { toastError } from './toasts.tsx'
import { VaultSwitcher } from './vault-switcher.tsx'
import { useRememberVault, useVaults } from './vault.ts'

/** The frame around every page after sign-in. */
export function Shell() {
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isSheetOpen, sheet] = useDisclosure()
  const client = useQueryClient()
  const navigate = useNavigate()
  const actions = useMemo(
    () => ({
      showShortcuts: sheet.open,
      leave() {
        const go = () =>
          void signOut(client)
            .catch(toastError)
            .then(() => navigate({ to: '/login', ignoreBlocker: true }))
        if (!hasUnsavedText()) return go()
        confirmStep({
          title: 'Sign out without saving?',
          body: 'You have unsaved text. Signing out discards it.',
          confirmLabel: 'Sign out',
          onConfirm: go,
        })
      },
    }),
    [sheet.open, client, navigate],
  )
  const navigation = useNavigation()
  useLiveUpdates()
  useRememberVault()
  const { vault } = useVaults()
  useShortcut('?', 'Show this list', sheet.open, 'Everywhere')
  useShortcut('/', 'Jump to the filter', focusFilter, 'Everywhere')
  return (
    <ShellContext value={actions}>
      <RoleContext value={vault === undefined ? 'owner' : roleIn(vault)}>
        <Anchor href="#content" className={classes.skip}>
          Skip to content
        </Anchor>
        {navigation.map(({ path, title, goKey }) => (
          <GoShortcut key={path} path={path} title={title} goKey={goKey} />
        ))}
        <div className={classes.frame}>
          {!isNarrow && <Rail />}
          <div className={classes.column}>
            {isNarrow && <TopBar />}
            <OfflineNotice />
            <main id="content" tabIndex={-1} className={classes.content}>
              <Outlet />
            </main>
          </div>
        </div>
        {isNarrow && <BottomBar />}
        <CommandPalette />
        <DropToImport />
        <ShortcutSheet isOpen={isSheetOpen} onClose={sheet.close} />
        <VisuallyHidden role="status" id="announcer" />
      </RoleContext>
    </ShellContext>
  )
}

function TopBar() {
  return (
    <header className={classes.topBar}>
      <VaultSwitcher />
      <div className={classes.topBarEnd}>
        <LiveMark />
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Search or jump to" onClick={spotlight.open}>
          <Search size={18} />
        </ActionIcon>
      </div>
    </header>
  )
}

function GoShortcut({ path, title, goKey }: { path: string; title: string; goKey: string }) {
  const navigate = useNavigate()
  useShortcut(`g ${goKey}`, title, () => void navigate({ to: path }), 'Go to')
  return null
}

/** Pages mark their filter with `data-filter`. */
function focusFilter(): void {
  document.querySelector<HTMLInputElement>('input[data-filter]')?.focus()
}
