import { chromium, type Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addSession, describeDashboard, examine } from './dashboard.ts'
import { findChromium } from './find-chromium.ts'
import { ask, person } from './server.ts'
import { intercept } from './intercept.ts'

/** Collects all events that a page's streams receive from the network. */
async function collectEvents(page: Page): Promise<string[]> {
  const events: string[] = []
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.url.includes('/api/events')) return
    // A stream that has ended in the meantime, because its page was left, can't be asked for its content.
    void session.send('Network.streamResourceContent', { requestId }).catch(() => {})
  })
  // Only what was asked for has `data`.
  session.on('Network.dataReceived', ({ data }) => events.push(Buffer.from(data ?? '', 'base64').toString()))
  return events
}

const live = (page: Page) => page.locator('[data-live="live"]')

describeDashboard('live updates', {}, (dashboard) => {
  const write = (content: string) => dashboard().agent('write-memory', { content })
  const row = (page: Page, text: string) => page.getByRole('link', { name: text })

  it('arrive in every tab over one stream', async () => {
    const { page, open } = dashboard()
    const streams: string[] = []
    page.context().on('request', (request) => {
      if (request.url().includes('/api/events')) streams.push(request.url())
    })
    await open('/memories')
    await page.getByText('No memories yet').waitFor()
    await live(page).waitFor()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await live(second).waitFor()
    await write('Ferries leave at noon.')
    await Promise.all([row(page, 'Ferries leave at noon.').waitFor(), row(second, 'Ferries leave at noon.').waitFor()])
    expect(streams).toHaveLength(1)
    await second.close()
  })

  it('read data once when a page opens, since the stream continues from the session', async () => {
    const { page, open } = dashboard()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await open('/memories')
    await row(page, 'Ferries leave at noon.').waitFor()
    await live(page).waitFor()
    // Time for a second request, if there is one.
    await page.waitForTimeout(1_000)
    expect(asked.filter((path) => path === '/api/memories')).toHaveLength(1)
    expect(asked.filter((path) => path === '/api/vaults')).toHaveLength(1)
  })

  it('are not lost while another tab takes over', async () => {
    const { page, open } = dashboard()
    await open('/memories')
    await live(page).waitFor()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await row(second, 'Ferries leave at noon.').waitFor()
    await live(second).waitFor()
    const isWritten = Promise.withResolvers<void>()
    const isAsked = Promise.withResolvers<void>()
    await intercept(second, '**/api/events*', async (route) => {
      isAsked.resolve()
      await isWritten.promise
      await route.continue()
    })
    await page.goto('about:blank')
    await isAsked.promise
    await write('The pier is closed.')
    isWritten.resolve()
    await row(second, 'The pier is closed.').waitFor()
    await second.unroute('**/api/events*')
    await second.close()
  })

  it('move nothing under a selection, and show how many rows are new', async () => {
    const { page, open } = dashboard()
    await open('/memories')
    await page.getByRole('checkbox', { name: 'Select Ferries leave at noon.' }).check()
    await write('The harbour master is Ines.')
    await write('Gulls nest on the crane.')
    await page.getByRole('button', { name: '2 new' }).waitFor()
    const titles = () => page.locator('[data-row]').allTextContents()
    expect(await titles()).toEqual(['The pier is closed.', 'Ferries leave at noon.'])
    await examine(dashboard(), 'live-new-rows')
    await page.getByRole('button', { name: '2 new' }).click()
    await row(page, 'Gulls nest on the crane.').waitFor()
    expect((await titles()).length).toBe(4)
  })

  it('are replaced by a refresh every 20 seconds without a stream, and the page says so', async () => {
    const { page, open } = dashboard()
    await page.route('**/api/events*', (route) => route.abort())
    await page.clock.install()
    await open('/memories')
    await page.locator('[data-live="polling"]').waitFor()
    await examine(dashboard(), 'live-polling')
    await write('Fog is expected.')
    await page.clock.fastForward(21_000)
    await row(page, 'Fog is expected.').waitFor()
    await page.unroute('**/api/events*')
  })

  it('do not replace an open form: saving it reports that someone else changed the record', async () => {
    const { page, server, owner, open } = dashboard()
    await open(`/agents/${owner.integrationId}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit agent' })
    await form.getByLabel('Name').fill('Scout of the harbour')
    const faster = await fetch(`${server.url}/api/integrations`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner.dashboardToken}` },
      body: JSON.stringify({ id: owner.integrationId, preset: 'read_write' }),
    })
    expect(faster.status).toBe(200)
    await page.getByText('Read and write', { exact: true }).first().waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/version/).waitFor()
  })

  it('reach no other user: two users see no trace of each other', { timeout: 120_000 }, async () => {
    const { page, browser, server, owner, open } = dashboard()
    const grace = { email: 'grace@example.org', password: 'another long and private sentence' }
    const made = await ask(server, server.operatorToken(), '/api/operator/users', grace)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(10_000)
    await addSession(context, server, grace)
    const other = await context.newPage()
    const events = await collectEvents(other)
    await other.goto(`${server.url}/memories`)
    await live(other).waitFor()
    await open('/memories')
    await write('A heron that is a secret of Ada.')
    await row(page, 'A heron that is a secret of Ada.').waitFor()
    const mine = { vaultId: String(made['vaultId']), content: 'A crane that is a secret of Grace.' }
    await ask(server, String(made['dashboardToken']), '/api/memories', mine)
    await row(other, 'A crane that is a secret of Grace.').waitFor()
    expect(events.join()).toContain(made['vaultId'])
    expect(events.join()).not.toContain(owner.vaultId)
    expect(await page.locator('body').textContent()).not.toContain('Grace')
    await other.getByRole('button', { name: 'More', exact: true }).click()
    const links = other.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(paths).toContain('/activity')
    for (const path of paths) {
      await other.goto(server.url + path)
      await other.locator('h1').first().waitFor()
      await other.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
      const text = (await other.locator('body').textContent()) ?? ''
      for (const trace of ['heron', 'Ada', 'ada@', 'Scout', owner.vaultId, owner.integrationId])
        expect([path, trace, text.includes(trace)]).toEqual([path, trace, false])
    }
    await context.close()
  })

  it('are replaced by a refresh every 20 seconds if the browser has no locks', async () => {
    const { server } = dashboard()
    // The host name makes it look like plain HTTP from another machine, where browsers have no locks.
    const url = `http://holdfast.lan:${new URL(server.url).port}`
    const browser = await chromium.launch({
      executablePath: findChromium() ?? '',
      chromiumSandbox: false,
      args: ['--disable-background-networking', '--host-resolver-rules=MAP holdfast.lan 127.0.0.1'],
    })
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    await addSession(context, server, person, url)
    let streams = 0
    context.on('request', (request) => void (streams += request.url().includes('/api/events') ? 1 : 0))
    const pages = [await context.newPage(), await context.newPage()]
    for (const page of pages) {
      await page.goto(`${url}/memories`)
      await page.locator('[data-live="polling"]').waitFor()
    }
    expect(await pages[0]?.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false])
    await write('Nobody locks the shed.')
    for (const page of pages) {
      await page.bringToFront()
      await row(page, 'Nobody locks the shed.').waitFor()
    }
    expect(streams).toBe(0)
    await browser.close()
  })

  it('reach the task board when a memory with the type task changes', async () => {
    const { page, open, agent } = dashboard()
    await open('/tasks')
    await live(page).waitFor()
    const { taskId } = await agent('create-task', { title: 'Cut the hedge' })
    await page.getByText('Cut the hedge').first().waitFor()
    await agent('archive-memory', { memoryId: taskId })
    await expect.poll(() => page.getByText('Cut the hedge').count()).toBe(0)
    await agent('write-memory', { content: 'Paint the fence', memoryType: 'task' })
    await page.getByText('Paint the fence').first().waitFor()
  })
})
