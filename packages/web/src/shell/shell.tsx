import { ActionIcon, Anchor, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useMemo } from 'react'
import { useLiveUpdates } from '../api/live.ts'
import { confirmStep } from '../components/feedback/confirm-step.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { VaultMenu } from './frame-buttons.tsx'
import { askForParts, openPalette, useParts, usePartsFailure } from './later.ts'
import { LiveMark } from './live-mark.tsx'
import { useNavigation } from './navigation.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { Rail } from './rail.tsx'
import { useRememberRecord } from './recent-records.ts'
import { RoleContext, roleIn } from './role.ts'
import { hasUnsavedText, signOut } from './session.ts'
import { ShellContext } from './shell-context.ts'
import classes from './shell.module.css'
import { useShortcut } from './shortcuts.ts'
import { toastError } from './toasts.tsx'
import { useRememberVault, useVaults } from './vault.ts'
import { useIsOnPhone } from './use-is-on-phone.ts'

/** The palette opens from text fields, too. */
const noTagsToIgnore: string[] = []

/** The frame around every page after sign-in. */
export function Shell() {
  const isOnPhone = useIsOnPhone()
  const parts = useParts()
  const failure = usePartsFailure()
  const [isSheetOpen, { open: openSheet, close: closeSheet }] = useDisclosure()
  const client = useQueryClient()
  const navigate = useNavigate()
  const actions = useMemo(
    () => ({
      showShortcuts() {
        void askForParts()
        openSheet()
      },
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
    [openSheet, client, navigate],
  )
  const navigation = useNavigation()
  useLiveUpdates()
  useRememberVault()
  useRememberRecord()
  const { vault } = useVaults()
  useShortcut('?', 'Show this list', actions.showShortcuts, 'Outside fields')
  useShortcut('/', 'Jump to the filter', focusFilter, 'Outside fields')
  useHotkeys([['mod + K', openPalette]], noTagsToIgnore)
  // The page says what failed, and how to reload.
  if (failure !== undefined) throw failure
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
          {!isOnPhone && <Rail />}
          <div className={classes.column}>
            {isOnPhone && <TopBar />}
            <OfflineNotice />
            <main id="content" tabIndex={-1} className={classes.content}>
              <Outlet />
            </main>
          </div>
        </div>
        {isOnPhone && <BottomBar />}
        {parts !== undefined && (
          <>
            <parts.CommandPalette />
            <parts.DropToImport />
            <parts.ShortcutSheet isOpen={isSheetOpen} onClose={closeSheet} />
          </>
        )}
        <VisuallyHidden role="status" id="announcer" />
      </RoleContext>
    </ShellContext>
  )
}

function TopBar() {
  return (
    // Not a header: with that of a dialog, the page would have two.
    <div role="region" aria-label="Vault and search" className={classes.topBar}>
      <VaultMenu />
      <div className={classes.topBarEnd}>
        <LiveMark />
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Search or jump to" onClick={openPalette}>
          <Search size={18} />
        </ActionIcon>
      </div>
    </div>
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
