import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

const received: { event: string; signature: string | undefined }[] = []
let answer = 200

const receiver = createServer(async (request, response) => {
  const body = JSON.parse(await read(request)) as { event: string }
  received.push({ event: body.event, signature: request.headers['webhook-signature'] as string | undefined })
  response.writeHead(answer).end()
})
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
afterAll(() => void receiver.close())

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

describeDashboard('webhooks', { webhookAllow: host }, (dashboard) => {
  const sendMessage = (content: string) =>
    dashboard().agent('send-message', { targetId: 'user', category: 'info', title: 'News', content })

  it('the empty state says what they are for, and the form rejects a bad URL', async () => {
    const { page, open } = dashboard()
    await open('/webhooks')
    await page.getByText('No webhooks yet').waitFor()
    await examine(dashboard(), 'webhooks-none')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByLabel('URL').fill('http://10.0.0.1/hook')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await form.getByText('address not allowed').waitFor()
    await examine(dashboard(), 'webhook-new')
    await form.getByLabel('URL').fill(`http://${host}/hook`)
    const memories = form.getByRole('group', { name: 'Memories' })
    await memories.getByLabel('Created').check()
    await memories.getByLabel('Archived').check()
    await form.getByRole('button', { name: 'More options' }).click()
    await form.getByRole('combobox', { name: 'Memory types' }).click()
    await page.getByRole('option', { name: 'Fact' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Create webhook' }).click()
  })

  it('a new webhook shows its secret once, and delivers', async () => {
    const { page } = dashboard()
    const secret = page.getByRole('dialog', { name: 'Signing secret' })
    await secret.getByText(/^whsec_/).waitFor()
    await examine(dashboard(), 'webhook-secret')
    await secret.getByRole('link', { name: 'Open the webhook' }).click()
    await page.getByRole('heading', { name: `${host}/hook`, level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText(/^Delivered: 200/).waitFor()
    expect(received).toMatchObject([{ event: 'webhook.test', signature: expect.stringMatching(/^v1,/) as string }])
    await sendMessage('The harbour is safe.')
    await page.getByRole('button', { name: /message\.created/ }).click()
    await page.getByText('"event": "message.created"').waitFor()
    await examine(dashboard(), 'webhook')
  })

  it('a change of a memory is delivered with its id, and nothing else about it', async () => {
    const { page, agent } = dashboard()
    await page.getByText('Messages: Sent; Memories: Created, Archived').waitFor()
    const { memoryId } = await agent('write-memory', { content: 'The harbour is deep.' })
    await agent('write-memory', { content: 'Prefers tea.', memoryType: 'preference' })
    await agent('archive-memory', { memoryId })
    await page.getByRole('button', { name: /memory\.archived/ }).click()
    await page
      .getByText(`"memoryId": "${String(memoryId)}"`)
      .and(page.locator(':visible'))
      .waitFor()
    expect(received.filter(({ event }) => event.startsWith('memory.'))).toHaveLength(2)
  })

  it('failed deliveries are shown and can be resent', async () => {
    const { page, open } = dashboard()
    answer = 500
    await sendMessage('The harbour is full.')
    await page.reload()
    await page.getByText('HTTP 500').first().waitFor()
    await examine(dashboard(), 'webhook-failing')
    answer = 200
    const count = received.length
    await page.getByRole('button', { name: /HTTP 500/ }).click()
    await page.getByRole('button', { name: 'Send again', exact: true }).and(page.locator(':visible')).click()
    await expect.poll(() => received.length).toBeGreaterThan(count)
    await open('/webhooks')
    await page.getByRole('cell', { name: host }).waitFor()
    // What arrived in the end hasn't failed.
    await page.getByRole('cell', { name: 'None', exact: true }).waitFor()
    await examine(dashboard(), 'webhooks')
  })

  it('says what failed, and sends it again', async () => {
    const { page, open } = dashboard()
    await page.getByRole('link', { name: host }).click()
    const delivery = page.getByRole('button', { name: /message\.created/ }).first()
    await delivery.waitFor()
    const sendAgain = page.getByRole('button', { name: 'Send 2 again: 2 events' })
    expect(await page.getByRole('button', { name: /^Send .* again:/ }).count()).toBe(0)
    // A delivery fails for good only after days.
    const failed = { failedDeliveries: 2, lastError: 'HTTP 503' }
    await page.route(/\/api\/webhooks\?/, async (route) => {
      const response = await route.fetch()
      const found = (await response.json()) as { webhook?: object; webhooks?: object[] }
      const { webhook, webhooks } = found
      await route.fulfill({
        json: {
          ...found,
          ...(webhook !== undefined && { webhook: { ...webhook, ...failed } }),
          ...(webhooks !== undefined && { webhooks: webhooks.map((one) => ({ ...one, ...failed })) }),
        },
      })
    })
    await open('/webhooks')
    await page.getByRole('cell', { name: '2 events', exact: true }).waitFor()
    await page.getByText('HTTP 503').waitFor()
    await sendAgain.waitFor()
    await examine(dashboard(), 'webhooks-failed')
    await page.getByRole('link', { name: host }).click()
    await page.getByText('2 events not delivered').waitFor()
    await page.getByText('Latest failure: HTTP 503').waitFor()
    await examine(dashboard(), 'webhook-failed')
    await sendAgain.click()
    await page.getByText('Nothing to send again', { exact: true }).waitFor()
    // The list is read again after the click. Its answer still passes here.
    await page.unrouteAll({ behavior: 'wait' })
    await open('/webhooks')
  })

  it('a webhook can be paused, deleted, and given a new secret', async () => {
    const { page } = dashboard()
    await page.getByRole('link', { name: host }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('button', { name: 'More' }).and(page.locator('[aria-haspopup]')).click()
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
    const secret = page.getByRole('dialog', { name: 'Signing secret' })
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'More' }).and(page.locator('[aria-haspopup]')).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete this webhook?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
  })

  it('a long address takes two lines, and a new webhook doesn’t say when it was delivered', async () => {
    const { page, open, mine } = dashboard()
    const url = `http://${host}/hook?token=${'a'.repeat(1_500)}`
    await mine('/api/webhooks', { url, events: ['message.created'] })
    await open('/webhooks')
    const link = page.getByRole('link', { name: host })
    await link.waitFor()
    expect(await link.getAttribute('title')).toBe(url)
    await examine(dashboard(), 'webhooks-long')
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.getByText('Nothing sent yet').waitFor()
      await expect.poll(async () => (await link.boundingBox())?.height ?? Infinity).toBeLessThan(60)
    }
    expect(await page.getByText('Never').filter({ visible: true }).count()).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('an address without a valid id says that there is no such webhook', async () => {
    const { page, open } = dashboard()
    await open('/webhooks/xyz')
    await page.getByRole('main').getByText('Webhook not found. It may have been deleted.').waitFor()
  })
})
