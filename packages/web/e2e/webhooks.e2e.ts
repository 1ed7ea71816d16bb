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

  it('say what they are for before there are any, and what is wrong with an address', async () => {
    const { page, open } = dashboard()
    await open('/webhooks')
    await page.getByText('Nothing is told to anybody yet').waitFor()
    await examine(dashboard(), 'webhooks-none')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByLabel('Address').fill('http://10.0.0.1/hook')
    await form.getByRole('button', { name: 'Make webhook' }).click()
    await form.getByText('address not allowed').waitFor()
    await examine(dashboard(), 'webhook-new')
    await form.getByLabel('Address').fill(`http://${host}/hook`)
    await form.getByRole('button', { name: 'Make webhook' }).click()
  })

  it('show the secret once, and deliver', async () => {
    const { page } = dashboard()
    const secret = page.getByRole('dialog', { name: 'The secret that signs what is sent' })
    await secret.getByText(/^whsec_/).waitFor()
    await examine(dashboard(), 'webhook-secret')
    await secret.getByRole('link', { name: 'I have it, open the webhook' }).click()
    await page.getByRole('heading', { name: host, level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/^Delivered: 200/).waitFor()
    expect(received).toMatchObject([{ event: 'webhook.test', signature: expect.stringMatching(/^v1,/) as string }])
    await sendMessage('The harbour is safe.')
    await page.getByRole('button', { name: /message\.created/ }).click()
    await page.getByText('"event": "message.created"').waitFor()
    await examine(dashboard(), 'webhook')
  })

  it('tell what failed, and send again', async () => {
    const { page, open } = dashboard()
    answer = 500
    await sendMessage('The harbour is full.')
    await page.reload()
    await page.getByText('answered 500').first().waitFor()
    await examine(dashboard(), 'webhook-failing')
    answer = 200
    const count = received.length
    await page.getByRole('button', { name: /answered 500/ }).click()
    await page.getByRole('button', { name: 'Send it again' }).and(page.locator(':visible')).click()
    await expect.poll(() => received.length).toBeGreaterThan(count)
    await open('/webhooks')
    await page.getByRole('cell', { name: host }).waitFor()
    await examine(dashboard(), 'webhooks')
  })

  it('are paused, get another secret, and are deleted', async () => {
    const { page } = dashboard()
    await page.getByRole('link', { name: host }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
    const secret = page.getByRole('dialog', { name: 'The secret that signs what is sent' })
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: 'I have it', exact: true }).click()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete this webhook?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing is told to anybody yet').waitFor()
  })
})
