import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { createQueryClient } from '../api/query-client.ts'
import { styleNonce } from '../page-policy.ts'
import { makeRouter } from '../routes.tsx'
import { colorSchemeKey } from './color-scheme-key.ts'
import { loadParts, useParts } from './later.ts'
import { usePreference } from './preferences.ts'
import { dropTexts, forget, isOtherUser, listenToTabs } from './session.ts'
import { listenToShortcuts } from './shortcuts.ts'
import { resolveVariables, theme } from './theme.ts'

const colorSchemes = localStorageColorSchemeManager({ key: colorSchemeKey })

const isAtSignIn = () => ['/login', '/setup'].includes(router.state.location.pathname)

const client = createQueryClient(() => {
  if (isAtSignIn()) return
  const next = router.state.location.publicHref
  forget(client)
  void router.navigate({ to: '/login', search: { next } })
})
const router = makeRouter(client)

listenToTabs((userId) => {
  if (userId === null ? isAtSignIn() : !isOtherUser(userId)) return
  forget(client)
  dropTexts()
  const left = router.navigate({ to: '/login', ignoreBlocker: true })
  // Reload, so that nothing of the previous user's data stays in memory.
  if (userId !== null) void left.then(() => location.replace('/'))
})

const settleMs = 100
const longestWaitMs = 2_000

/** Loads the rest of the frame once the first page shows its data, which it would delay. */
function loadPartsLater(waitedMs = 0): void {
  const isBusy = () => client.isFetching() > 0 && waitedMs < longestWaitMs
  setTimeout(() => (isBusy() ? loadPartsLater(waitedMs + settleMs) : void loadParts()), settleMs)
}

const stopWaiting = router.subscribe('onRendered', () => {
  stopWaiting()
  loadPartsLater()
})

export function App() {
  const contrast = usePreference('contrast')
  useEffect(() => void (document.documentElement.dataset['contrast'] = contrast), [contrast])
  useEffect(listenToShortcuts, [])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={client}>
        <DialogsAndToasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}

function DialogsAndToasts() {
  const parts = useParts()
  if (parts === undefined) return null
  return (
    <>
      <parts.ModalsProvider>{null}</parts.ModalsProvider>
      <parts.Notifications position="bottom-right" limit={parts.maxToasts} />
    </>
  )
}
