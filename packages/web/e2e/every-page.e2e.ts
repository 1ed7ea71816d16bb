import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSession, describeDashboard, findViolations, type Dashboard } from './dashboard.ts'
import { rememberStories } from './remembered.ts'

/** Half of a small laptop’s screen in each direction, as at a zoom of 200 %; and what a zoom of 400 % leaves of it (WCAG 1.4.10). */
const narrow = [
  { width: 640, height: 480 },
  { width: 320, height: 480 },
] as const

const paths = [
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
  ...['account', 'second-factor', 'passkeys', 'sessions', 'appearance', 'shortcuts', 'encryption', 'backups', 'limits']
    .concat('users', 'system')
    .map((section) => `/settings/${section}`),
  '/no/such/page',
]

describeDashboard('every page', {}, (dashboard) => {
  let zoomed: Page
  let ids: Readonly<Record<string, string>>

  beforeAll(async () => {
    const { browser, server } = dashboard()
    const context = await browser.newContext({ viewport: narrow[0], deviceScaleFactor: 2, reducedMotion: 'reduce' })
    context.setDefaultTimeout(30_000)
    await addSession(context, server)
    zoomed = await context.newPage()
    ids = await fill(dashboard())
  })

  afterAll(() => zoomed?.context().close())

  it.each(paths)(
    '%s fits twice the zoom and a width of 320 px, and axe finds nothing, best practices included',
    async (path) => {
      const { page, server } = dashboard()
      const address = server.url + path.replaceAll(/[A-Z]{3,}/g, (name) => ids[name] ?? name)
      const found: string[] = []
      await page.goto(address)
      await settle(page)
      found.push(...(await findViolations(page)))
      await zoomed.goto(address)
      for (const size of narrow) {
        await zoomed.setViewportSize(size)
        await zoomed.emulateMedia({ colorScheme: size.width === 320 ? 'dark' : 'light', reducedMotion: 'reduce' })
        await settle(zoomed)
        found.push(...(await findOverflow(zoomed)).map((what) => `${size.width} px: ${what}`))
        if (size.width === 320) found.push(...(await findViolations(zoomed)).map((what) => `320 px: ${what}`))
      }
      expect(found).toEqual([])
    },
  )
})

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null)
}

/** What reaches beyond the right edge, if the page scrolls sideways. Waits, since the layout changes shortly after the size does. */
async function findOverflow(page: Page): Promise<string[]> {
  const fits = await page
    .waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, undefined, { timeout: 5_000 })
    .then(
      () => true,
      () => false,
    )
  if (fits) return []
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => one.getBoundingClientRect().right > innerWidth,
    )
    return [
      `scrolls sideways, ${document.documentElement.scrollWidth} px`,
      ...wide.slice(-3).map((one) => one.outerHTML.slice(0, 160)),
    ]
  })
}

/** Something on every page, and the ids of what the paths name. */
async function fill(dashboard: Dashboard): Promise<Record<string, string>> {
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
