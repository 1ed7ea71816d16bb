import { expect } from 'vitest'
import type { Answer } from '../../../test/app.ts'
import type { TestAgent } from '../../../test/scenarios.ts'

type Listed = Record<string, unknown> & { messageId: string; content: string }

export const listed = ({ body }: Answer) => body.messages as Listed[]
export const contents = (answer: Answer) => listed(answer).map(({ content }) => content)

export async function send(from: TestAgent, targetId: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body, text } = await from.call('send-message', { targetId, content: 'hello', ...more })
  expect([201, text]).toEqual([status, text])
  return String(body.messageId)
}

export const inboxOf = async (agent: TestAgent, more: Record<string, unknown> = {}) =>
  contents(await agent.call('read-messages', more))
export const pendingOf = async (agent: TestAgent, more: Record<string, unknown> = {}) =>
  contents(await agent.call('pending-messages', more))
