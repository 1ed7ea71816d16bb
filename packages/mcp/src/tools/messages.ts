import { counted, displayName } from '../render/one-line.ts'
import { messageItem } from '../render/messages.ts'
import { withName } from '../vault-directory.ts'
import { objectSchema } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { anyVault, common, tool, type ToolCall } from '../tool.ts'
import { plainId } from './ids.ts'

export const readMessages = tool({
  name: 'read_messages',
  title: 'Read messages',
  description:
    'Read messages to this agent in all vaults: pending ones, most urgent first, or with status all every message, newest first.',
  inputSchema: objectSchema({
    status: { type: 'string', enum: ['pending', 'acknowledged', 'all'], description: 'Default pending.' },
    fromAgentId: { type: 'string' },
    threadId: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 20.' },
    offset: { type: 'integer', minimum: 0 },
    ...anyVault,
  }),
  effect: 'read',
  scopes: ['read'],
  inVault: false,
  async run({ status = 'pending', fromAgentId, threadId, limit = 20, offset = 0 }, call) {
    const filter = { fromAgentId, threadId: plainId(threadId, 'threadId') }
    const isFiltered = fromAgentId !== undefined || threadId !== undefined
    // Sorted by urgency.
    const { messages, total } =
      status === 'pending' && !isFiltered
        ? await call.call('pending-messages', { limit, offset })
        : await call.call('read-messages', { status, ...filter, limit, offset })
    return {
      head: [
        total === 0 ? `no ${status === 'all' ? '' : `${status} `}messages` : `${counted(total, 'message')} (${status})`,
      ],
      recalled: messages.map((message) =>
        messageItem(message, call.now, withName(call.directory, message.vaultId).name),
      ),
      total: total - offset,
      next: (shown) => call.again({ offset: offset + Math.max(shown, 1) }),
      tail: messages.some((message) => message.status === 'pending') ? ['once handled, call ack_message(ids=[…])'] : [],
      data: { messages, total },
    }
  },
})

export const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description: 'Send a message to another agent, to the person ("user") or to all agents of the vault ("*").',
  inputSchema: objectSchema(
    {
      targetId: { type: 'string', description: 'Agent id, user or *. Default for a reply: its sender.' },
      content: { type: 'string' },
      subject: { type: 'string' },
      category: { type: 'string', enum: ['directive', 'question', 'info', 'task', 'alert'] },
      priority: { type: 'integer', minimum: 1, maximum: 5, description: '5: urgent. Default 3.' },
      parentMessageId: { type: 'string', description: 'The message to reply to.' },
      expiresInDays: { type: 'integer', minimum: 1, maximum: 365, description: 'Default 30.' },
      ...common,
    },
    ['content'],
  ),
  effect: 'write',
  scopes: ['write'],
  async run({ parentMessageId, targetId: asked, vault: _vault, run: _run, ...fields }, call) {
    const parent = plainId(parentMessageId, 'parentMessageId')
    const targetId = asked ?? (await findSender(parent, call))
    const answer = await call.call('send-message', {
      ...fields,
      targetId,
      ...(parent !== undefined && { parentMessageId: parent }),
    })
    return {
      head: [
        `sent: msg:${answer.messageId} to ${displayName(answer.targetId, 100)} (${answer.category}, priority ${answer.priority}; until ${answer.expiresAt.slice(0, 10)})`,
        ...(answer.targetType === 'agent' && parent === undefined
          ? await unknownTargetHint(answer.targetId, call)
          : []),
      ],
      data: { ...answer },
    }
  },
})

/** Finds the sender of the message to reply to. */
async function findSender(parent: string | undefined, { call }: ToolCall): Promise<string> {
  if (parent === undefined) throw new ToolProblem('VALIDATION', 'targetId: required (a string), or parentMessageId.')
  const { messages } = await call('read-messages', { status: 'all', limit: 100 })
  const found = messages.find(({ messageId }) => messageId === parent)
  if (found === undefined)
    throw new ToolProblem('VALIDATION', 'targetId: required, because the message to reply to is not recent.')
  if (found.senderType === 'user') return 'user'
  // An old message of an agent with such a name: the reply would go to the person, or to everyone.
  if (found.fromAgentId === 'user' || found.fromAgentId === '*')
    throw new ToolProblem('VALIDATION', 'targetId: required, because the sender is named "user" or "*".')
  if (found.trust === 'imported')
    throw new ToolProblem(
      'VALIDATION',
      'targetId: required, because the message was imported and its sender is a claim.',
    )
  return found.fromAgentId
}

const minutesOfAWeek = 10_080

/** Warns if no agent has this name, because it is probably misspelled. The message is stored anyway. */
async function unknownTargetHint(targetId: string, { call }: ToolCall): Promise<string[]> {
  try {
    const { agents } = await call('list-active-agents', { withinMinutes: minutesOfAWeek, limit: 100 })
    const names = [...new Set(agents.map(({ agentId }) => agentId))]
    if (names.includes(targetId)) return []
    const known = names.slice(0, 10).map((name) => JSON.stringify(displayName(name)))
    return [
      `note: no agent with exactly this name was active in the last 7 days${known.length === 0 ? '' : `. Active agents: ${known.join(', ')}`}.`,
    ]
  } catch {
    // The message is sent, so a failed lookup does not matter.
    return []
  }
}

export const ackMessage = tool({
  name: 'ack_message',
  title: 'Acknowledge messages',
  description: 'Mark messages to this agent as handled. The sender sees the note.',
  inputSchema: objectSchema(
    {
      ids: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string' } },
      note: { type: 'string', description: 'The outcome.' },
      ...anyVault,
    },
    ['ids'],
  ),
  effect: 'write',
  isIdempotent: true,
  scopes: ['write'],
  inVault: false,
  async run({ ids, note }, { call }) {
    const messageIds = ids.flatMap((id) => plainId(id, 'ids') ?? [])
    const answer = await call('ack-message', { messageIds, note })
    const { results = [], notFound = [] } = answer
    const already = results.filter(({ alreadyAcknowledged }) => alreadyAcknowledged).length
    return {
      head: [
        `acknowledged: ${counted(results.length, 'message')}${already === 0 ? '' : `, ${already} of them already before`}`,
        ...(notFound.length === 0 ? [] : [`no messages to this agent: ${notFound.join(', ')}`]),
      ],
      data: { ...answer },
    }
  },
})
