import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

/** A local server with OpenAI's chat protocol. */
let respond: (response: ServerResponse) => void = (response) => response.writeHead(500).end()
let asked = 0
const model = createServer((request, response) => {
  request.resume()
  asked++
  respond(response)
})
await new Promise<void>((done) => model.listen(0, '127.0.0.1', done))
const modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
afterAll(() => void model.close())

const write = (response: ServerResponse, content: string) =>
  response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)

describeDashboard('asking a question', { modelUrl }, (dashboard) => {
  it('shows the answer as it arrives, with links to its sources', async () => {
    const { page, open, agent } = dashboard()
    await agent('write-memory', {
      content: 'The harbour closes at ten in the evening.',
      memoryType: 'fact',
      entities: ['North pier'],
    })
    let finish: () => void = () => {}
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      write(response, 'It closes at ten ')
      finish = () => {
        write(response, '[1]. <b>Not bold</b>')
        response.end('data: [DONE]\n\n')
      }
    }
    await open('/ask')
    await page.getByText('Answers appear here').waitFor()
    await page.getByRole('button', { name: 'What do we know about North pier?' }).waitFor()
    await examine(dashboard(), 'ask-none')
    await page.getByLabel('Question').fill('When does the harbour close?')
    await page.keyboard.press('Enter')
    await page.getByText('It closes at ten').waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    finish()
    await page.getByText('<b>Not bold</b>').waitFor()
    await examine(dashboard(), 'ask')
    await page.getByRole('link', { name: 'Source 1: The harbour closes at ten in the evening.' }).click()
    await page.waitForURL('**/memories/*')
    await page.goBack()
    await page.getByRole('heading', { name: 'When does the harbour close?' }).waitFor()
  })

  it('does not ask the model if nothing matches', async () => {
    const { page } = dashboard()
    const before = asked
    await page.getByLabel('Question').fill('Who won the tennis final?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('No records match this question').waitFor()
    expect(asked).toBe(before)
  })

  it('shows the closest records if the model fails', async () => {
    const { page } = dashboard()
    respond = (response) => response.writeHead(500).end()
    await page.getByLabel('Question').fill('When does the harbour close today?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('The language model didn’t answer (http_500).').waitFor()
    await page.getByRole('heading', { name: 'Closest records' }).waitFor()
    await examine(dashboard(), 'ask-failed')
  })

  it('can be asked from the palette', async () => {
    const { page, open } = dashboard()
    respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      write(response, 'NOT_IN_RECORDS')
      response.end('data: [DONE]\n\n')
    }
    await open('/memories')
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    await page.keyboard.press('Control+K')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('harbour captain')
    await page.getByText('Ask “harbour captain”').click()
    await page.getByText('The records in this vault don’t answer this question.').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})

describeDashboard('asking without a language model', {}, (dashboard) => {
  it('is offered nowhere, and its address says what to set up', async () => {
    const { page, open } = dashboard()
    await open('/ask')
    await page.getByText('This server has no language model').waitFor()
    await page.getByText('HOLDFAST_EXTRACTION_URL').first().waitFor()
    await page.getByRole('link', { name: 'How to set up a model' }).waitFor()
    await examine(dashboard(), 'ask-no-model')
    expect(await page.getByRole('link', { name: 'Ask', exact: true }).count()).toBe(0)
    await page.keyboard.press('Control+K')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('ask')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByText('New task').waitFor()
    expect(await palette.getByText('Ask', { exact: true }).count()).toBe(0)
  })
})
