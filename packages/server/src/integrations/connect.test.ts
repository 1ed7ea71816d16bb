import { agentClients } from '@holdfast/hosts/clients'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { makeUser } from '../../test/factories.ts'
import { withEntry } from '../cli/settings-file.ts'

const url = 'https://memory.example'

async function ask(query: string) {
  const test = await startTestApp()
  const { dashboardToken } = await makeUser(test)
  const headers = { authorization: `Bearer ${dashboardToken}` }
  const { statusCode, json, body } = await test.app.server.inject({
    method: 'GET',
    url: `/api/connect${query}`,
    headers,
  })
  return {
    statusCode,
    body,
    answer: json() as { clients: { id: string; snippet: string; key: string }[]; agentsMd: string },
  }
}

it('shows the settings that the command line would write for each client, without a key', async () => {
  const { statusCode, answer, body } = await ask(`?url=${url}&vault=${encodeURIComponent('My app')}`)
  expect(statusCode).toBe(200)
  expect(answer.clients.map(({ id }) => id)).toEqual(agentClients.map(({ id }) => id))
  const to = { url, vault: 'My app', key: 'svc_...', command: ['node', 'main.ts'] as const }
  for (const client of agentClients.filter(({ id }) => !['stdio', 'claude-desktop'].includes(id))) {
    const told = answer.clients.find(({ id }) => id === client.id)
    expect([client.id, told?.snippet.trim()]).toEqual([client.id, withEntry('', client, client.entry(to)).trim()])
  }
  expect(answer.agentsMd).toContain('My app')
  expect(body).not.toMatch(/svc_\w/)
})

it('names no vault if the caller asks for none', async () => {
  const { answer } = await ask(`?url=${url}`)
  expect(answer.clients.find(({ id }) => id === 'claude-code')?.snippet).toContain(`"${url}/mcp"`)
})

it('accepts only http and https URLs', async () => {
  expect((await ask('')).statusCode).toBe(400)
  expect((await ask(`?url=${encodeURIComponent('javascript:alert(1)')}`)).statusCode).toBe(400)
})
