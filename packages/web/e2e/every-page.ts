import type { Dashboard } from './dashboard.ts'
import { rememberStories } from './remembered.ts'

/** All pages, forms and sections. Words in capitals stand for ids. */
export const paths = [
  '/',
  '/messages',
  '/messages?new=true',
  '/messages/THREAD',
  '/review',
  '/memories',
  '/memories/MEMORY',
  '/memories?new=true',
  '/tasks',
  '/tasks?view=list',
  '/tasks/TASK',
  '/tasks?new=true',
  '/notes',
  '/notes/NOTE',
  '/graph',
  '/entities',
  '/search',
  '/search?q=timetable',
  '/ask',
  '/context',
  '/documents',
  '/documents/soul',
  '/documents/all/instructions',
  '/trash',
  '/agents',
  '/agents/AGENT',
  '/agents?new=true',
  '/runs',
  '/runs/RUN',
  '/connect',
  '/vaults',
  '/vaults?new=true',
  '/transfer',
  '/webhooks',
  '/webhooks?new=true',
  '/activity',
  '/usage',
  '/settings',
  ...['account', 'second-factor', 'passkeys', 'sessions', 'appearance', 'shortcuts', 'encryption', 'backups', 'limits']
    .concat('users', 'system')
    .map((section) => `/settings/${section}`),
  '/no/such/page',
]

/** A path with the ids in it. */
export const pathWith = (ids: Readonly<Record<string, string>>, path: string): string =>
  path.replaceAll(/[A-Z]{3,}/g, (name) => ids[name] ?? name)

/** Something on every page, and the ids of what the paths name. */
export async function fillPages(
  dashboard: Pick<Dashboard, 'agent' | 'owner' | 'server'>,
): Promise<Record<string, string>> {
  const { agent, owner, server } = dashboard
  const { idOf } = await rememberStories(dashboard)
  const longName = 'the-timetable-service-of-the-north-pier-and-all-its-departure-boards'
  const { messageId } = await agent('send-message', {
    targetId: 'user',
    targetType: 'user',
    title: `About ${longName}`,
    content: 'Which fare holds?',
  })
  const { taskId } = await agent('create-task', { title: `Rename ${longName}`, description: 'It is too long.' })
  const { noteId } = await agent('create-note', { title: longName, content: `# ${longName}\n\nSee [[Runbook]].` })
  await agent('session-start', { agentId: 'scout', agentRunId: 'run-scout-2' })
  const headers = { Authorization: `Bearer ${owner.dashboardToken}` }
  const response = await fetch(`${server.url}/api/runs?vaultId=${owner.vaultId}`, { headers })
  const { runs } = (await response.json()) as { runs: { id: string }[] }
  return {
    MEMORY: idOf('The fare for bicycles'),
    THREAD: String(messageId),
    TASK: String(taskId),
    NOTE: String(noteId),
    AGENT: owner.integrationId,
    RUN: runs[0]?.id ?? '',
  }
}
