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
import { PageError, PageNotFound } from './shell/page-error.tsx'
import { findSignInPage } from './shell/session.ts'
import { Shell } from './shell/shell.tsx'

type Load = () => Promise<ComponentType>

const rootRoute = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  async beforeLoad({ context, location }) {
    const signInPage = await findSignInPage(context.client)
    if (signInPage === '/setup') throw redirect({ to: '/setup' })
    if (signInPage === '/login') throw redirect({ to: '/login', search: { next: location.href } })
  },
})

const lazily = (load: Load) => lazyRouteComponent(async () => ({ default: await load() }))

const page = (path: string, load: Load) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: lazily(load) })

const outside = (path: string, load: Load) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: lazily(load) })

/** One line per page, each in its own chunk. Entries of the rail are in shell/navigation.ts. */
const pages = [
  page('/', async () => (await import('./pages/home/home-page.tsx')).HomePage),
  page('/context', async () => (await import('./pages/context/context-page.tsx')).ContextPage),
  page('/search', async () => (await import('./pages/search/search-page.tsx')).SearchPage),
  page('/memories/{-$memoryId}', async () => (await import('./pages/memories/memories-page.tsx')).MemoriesPage),
  page('/tasks/{-$taskId}', async () => (await import('./pages/tasks/tasks-page.tsx')).TasksPage),
  page('/notes/{-$noteId}', async () => (await import('./pages/notes/notes-page.tsx')).NotesPage),
  page('/graph', async () => (await import('./pages/graph/graph-page.tsx')).GraphPage),
  page('/review', async () => (await import('./pages/review/review-page.tsx')).ReviewPage),
  page('/messages/{-$threadId}', async () => (await import('./pages/messages/messages-page.tsx')).MessagesPage),
  page('/agents/{-$integrationId}', async () => (await import('./pages/agents/agents-page.tsx')).AgentsPage),
  page('/connect', async () => (await import('./pages/connect/connect-page.tsx')).ConnectPage),
  page('/authorize', async () => (await import('./pages/authorize/authorize-page.tsx')).AuthorizePage),
  page('/vaults', async () => (await import('./pages/vaults/vaults-page.tsx')).VaultsPage),
  page('/runs', async () => (await import('./pages/runs/runs-page.tsx')).RunsPage),
  page('/runs/$runId', async () => (await import('./pages/runs/run-page.tsx')).RunPage),
  page(
    '/documents/all/$name',
    async () => (await import('./pages/documents/default-document-page.tsx')).DefaultDocumentPage,
  ),
  page('/documents/{-$name}', async () => (await import('./pages/documents/documents-page.tsx')).DocumentsPage),
  page('/trash', async () => (await import('./pages/trash/trash-page.tsx')).TrashPage),
  page('/transfer', async () => (await import('./pages/transfer/transfer-page.tsx')).TransferPage),
  page('/webhooks', async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage),
  page('/webhooks/$webhookId', async () => (await import('./pages/webhooks/webhook-page.tsx')).WebhookPage),
  page('/activity', async () => (await import('./pages/activity/activity-page.tsx')).ActivityPage),
  page('/usage', async () => (await import('./pages/usage/usage-page.tsx')).UsagePage),
  page('/settings/{-$section}', async () => (await import('./pages/settings/settings-page.tsx')).SettingsPage),
  // Any other path, inside the shell.
  page('/$', async () => PageNotFound),
]

const signInPages = [
  outside('/login', async () => (await import('./pages/login/login-page.tsx')).LoginPage),
  outside('/setup', async () => (await import('./pages/setup/setup-page.tsx')).SetupPage),
]

/** Loads the page's code while the session is being checked. */
export function makeRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: rootRoute.addChildren([...signInPages, shellRoute.addChildren(pages)]),
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
