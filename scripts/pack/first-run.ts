import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { openBrowser } from '../../packages/web/e2e/browser.ts'
import { person } from '../../packages/web/e2e/server.ts'

/** What a person and their first agent do after the first start. */

interface Agent {
  /** Its first call. */
  call(): Promise<unknown>
  remember(content: string): Promise<unknown>
  /** Over MCP, and its last call. */
  rememberAsTool(content: string): Promise<unknown>
}

const memory = 'Ada waters the ferns on Mondays.'
const another = 'The lantern on the pier is green.'

/** A person follows the link of the setup to the end, gives the key to an agent, and finds what it remembered. */
export async function walkFirstRun(link: string, connect: (key: string) => Promise<Agent>): Promise<void> {
  const { browser, page, complaints } = await openBrowser()
  try {
    await page.goto(link)
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Save a copy of the root key' }).waitFor()
    await page.getByLabel('I have saved a copy').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Vault name').fill('Garden')
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor()
    await page.getByRole('radio', { name: 'Claude Code' }).check()
    await page.getByRole('button', { name: 'Create key for Claude Code' }).click()
    const shown = await page.getByText(/^export HOLDFAST_KEY=svc_\w+/).textContent()
    const agent = await connect(shown?.split('=')[1] ?? '')
    await agent.call()
    await page.getByText('Now tell your agent something worth remembering').waitFor()
    await page.getByText('Waiting for the first memory').waitFor()
    await agent.remember(memory)
    // The page shows the newest memory only.
    await page.getByRole('status').getByText(memory).waitFor()
    await agent.rememberAsTool(another)
    await page.getByRole('button', { name: 'Open dashboard' }).click()
    await page.getByRole('button', { name: 'Garden' }).waitFor()

    const { origin } = new URL(link)
    await page.goto(`${origin}/search?q=${encodeURIComponent('when to water plants')}`)
    await page.getByRole('listitem').filter({ hasText: memory }).first().waitFor()
    await page.goto(`${origin}/memories`)
    await page.getByRole('link', { name: another }).waitFor()
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
}

/** Writes a memory over REST. */
export async function remember(origin: string, key: string, content: string): Promise<void> {
  const response = await fetch(`${origin}/api/agent/write-memory`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ content }),
  })
  expect(response.ok).toBe(true)
}

/** Starts an MCP server over stdio and calls its tools, as an agent's program does. */
export async function connectMcp(command: string, args: string[], env: Record<string, string>) {
  const client = new Client({ name: 'claude-code', version: '2.0.0' })
  await client.connect(new StdioClientTransport({ command, args, env }))
  return {
    async say(name: string, given: Record<string, unknown>): Promise<void> {
      const answer = await client.callTool({ name, arguments: given })
      expect([answer.isError ?? false, answer.content]).toEqual([false, expect.anything()])
    },
    close: () => client.close(),
  }
}
