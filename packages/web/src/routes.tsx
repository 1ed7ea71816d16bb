import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadMoreStyles } from './shell/later.ts'
import { PageError, PageNotFound } from './shell/page-error.tsx'
import { findSignInPage } from './shell/session.ts'
import { Shell } from './shell/shell.tsx'
import { keepVault, vaultRewrite } from './shell/vault-address.ts'
import { VaultPages } from './shell/vault-pages.tsx'
import { currentVaultId, isMissingVault, loadVaults } from './shell/vault.ts'

type Load = () => Promise<ComponentType>

const rootRoute = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  async beforeLoad({ context, location }) {
    const signInPage = await findSignInPage(context.client)
    if (signInPage === '/setup') throw redirect({ to: '/setup' })
    if (signInPage === '/login') throw redirect({ to: '/login', search: { next: location.publicHref } })
  },
})

/** The pages of a vault, at `/v/<vaultId>/…`. An address without a vault leads to the current one. */
const vaultRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'vault',
  component: VaultPages,
  async beforeLoad({ context: { client }, location }) {
    const search: { vaultId?: unknown } = location.search
    if (search.vaultId !== undefined) return
    await loadVaults(client)
    const vaultId = currentVaultId(client)
    if (vaultId === undefined) return
    throw redirect({ to: location.pathname, search: { ...location.search, vaultId }, hash: location.hash })
  },
})

const lazily = (load: Load) =>
  lazyRouteComponent(async () => {
    const [, component] = await Promise.all([loadMoreStyles(), load()])
    return { default: component }
  })

/** A page of a vault. */
const page = (path: string, load: Load) =>
  createRoute({ getParentRoute: () => vaultRoute, path, component: lazily(load) })

/** A page of the person, or of the server, whose address names no vault. */
const personPage = (path: string, load: Load) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: lazily(load) })

const outside = (path: string, load: Load) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: lazily(load) })

/** Most people see this page first, so it needs no styles but the frame's. */
const home = createRoute({
  getParentRoute: () => vaultRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

/** One line per page, each in its own chunk. Entries of the rail are in shell/navigation.ts. */
const vaultPages = [
  home,
  page('/context', async () => (await import('./pages/context/context-page.tsx')).ContextPage),
  page('/ask', async () => (await import('./pages/ask/ask-page.tsx')).AskPage),
  page('/search', async () => (await import('./pages/search/search-page.tsx')).SearchPage),
  page('/memories/{-$memoryId}', async () => (await import('./pages/memories/memories-page.tsx')).MemoriesPage),
  page('/tasks/{-$taskId}', async () => (await import('./pages/tasks/tasks-page.tsx')).TasksPage),
  page('/notes/{-$noteId}', async () => (await import('./pages/notes/notes-page.tsx')).NotesPage),
  page('/graph', async () => (await import('./pages/graph/graph-page.tsx')).GraphPage),
  page('/entities', async () => (await import('./pages/entities/entities-page.tsx')).EntitiesPage),
  page('/review', async () => (await import('./pages/review/review-page.tsx')).ReviewPage),
  page('/connect', async () => (await import('./pages/connect/connect-page.tsx')).ConnectPage),
  page('/runs', async () => (await import('./pages/runs/runs-page.tsx')).RunsPage),
  page('/runs/$runId', async () => (await import('./pages/runs/run-page.tsx')).RunPage),
  page(
    '/documents/all/$name',
    async () => (await import('./pages/documents/default-document-page.tsx')).DefaultDocumentPage,
  ),
  page('/documents/{-$name}', async () => (await import('./pages/documents/documents-page.tsx')).DocumentsPage),
  page('/trash', async () => (await import('./pages/trash/trash-page.tsx')).TrashPage),
  page('/transfer', async () => (await import('./pages/transfer/transfer-page.tsx')).TransferPage),
]

const personPages = [
  personPage('/messages/{-$threadId}', async () => (await import('./pages/messages/messages-page.tsx')).MessagesPage),
  personPage('/agents/{-$integrationId}', async () => (await import('./pages/agents/agents-page.tsx')).AgentsPage),
  personPage('/authorize', async () => (await import('./pages/authorize/authorize-page.tsx')).AuthorizePage),
  personPage('/vaults', async () => (await import('./pages/vaults/vaults-page.tsx')).VaultsPage),
  personPage('/webhooks', async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage),
  personPage('/webhooks/$webhookId', async () => (await import('./pages/webhooks/webhook-page.tsx')).WebhookPage),
  personPage('/activity', async () => (await import('./pages/activity/activity-page.tsx')).ActivityPage),
  personPage('/usage', async () => (await import('./pages/usage/usage-page.tsx')).UsagePage),
  personPage('/settings/{-$section}', async () => (await import('./pages/settings/settings-page.tsx')).SettingsPage),
  // Any other path, inside the shell.
  personPage('/$', async () => PageNotFound),
]

const signInPages = [
  outside('/login', async () => (await import('./pages/login/login-page.tsx')).LoginPage),
  outside('/setup', async () => (await import('./pages/setup/setup-page.tsx')).SetupPage),
]

const vaultsKnownTo = (client: QueryClient) => ({
  current: () => currentVaultId(client),
  isMissing: (vaultId: string) => isMissingVault(client, vaultId),
})

/** Loads the page's code while the session is being checked. */
export function makeRouter(client: QueryClient) {
  vaultRoute.update({ search: { middlewares: [keepVault(vaultsKnownTo(client))] } })
  const router = createRouter({
    routeTree: rootRoute.addChildren([
      ...signInPages,
      shellRoute.addChildren([vaultRoute.addChildren(vaultPages), ...personPages]),
    ]),
    rewrite: vaultRewrite,
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageNotFound,
    scrollRestoration: true,
  })
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    void router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
  return router
}
