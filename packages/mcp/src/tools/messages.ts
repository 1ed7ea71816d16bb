import { counted, nameOf } from '../render/one-line.ts'
import { messageItem } from '../render/messages.ts'
import { vaultNamed } from '../vault-directory.ts'
import { schemaOf } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { anyVault, common, tool, type ToolCall } from '../tool.ts'
import { plainId } from './ids.ts'

export const readMessages = tool({
  name: 'read_messages',
  title: 'Read messages',
  description:
    'Read messages to this agent, of all vaults: those to acknowledge, the most urgent first, or with status all every one, newest first.',
  inputSchema: schemaOf({
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
    // In the order of urgency.
    const { messages, total } =
      status === 'pending' && !isFiltered
        ? await call.call('pending-messages', { limit, offset })
        : await call.call('read-messages', { status, ...filter, limit, offset })
    return {
      head: [
        total === 0 ? `no ${status === 'all' ? '' : `${status} `}messages` : `${counted(total, 'message')} (${status})`,
      ],
      recalled: messages.map((message) =>
        messageItem(message, call.now, vaultNamed(call.directory, message.vaultId).name),
      ),
      total: total - offset,
      next: (shown) => call.again({ offset: offset + Math.max(shown, 1) }),
      tail: messages.some((message) => message.status === 'pending') ? ['once handled: ack_message(ids=[…])'] : [],
      data: { messages, total },
    }
  },
})

export const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description: 'Send a message to another agent, to the person ("user") or to all agents of the vault ("*").',
  inputSchema: schemaOf(
    {
      targetId: { type: 'string', description: 'Agent id, user or *; for an answer its sender.' },
      content: { type: 'string' },
      subject: { type: 'string' },
      category: { type: 'string', enum: ['directive', 'question', 'info', 'task', 'alert'] },
      priority: { type: 'integer', minimum: 1, maximum: 5, description: '5: at once. Default 3.' },
      parentMessageId: { type: 'string', description: 'The message that it answers.' },
      expiresInDays: { type: 'integer', minimum: 1, maximum: 365, description: 'Default 30.' },
      ...common,
    },
    ['content'],
  ),
  effect: 'write',
  scopes: ['write'],
  async run({ parentMessageId, targetId: asked, vault: _vault, run: _run, ...fields }, call) {
    const parent = plainId(parentMessageId, 'parentMessageId')
    const targetId = asked ?? (await senderOf(parent, call))
    const answer = await call.call('send-message', {
      ...fields,
      targetId,
      ...(parent !== undefined && { parentMessageId: parent }),
    })
    return {
      head: [
        `sent: msg:${answer.messageId} to ${nameOf(answer.targetId, 100)} (${answer.category}, priority ${answer.priority}; until ${answer.expiresAt.slice(0, 10)})`,
        ...(answer.targetType === 'agent' && parent === undefined ? await strangerHint(answer.targetId, call) : []),
      ],
      data: { ...answer },
    }
  },
})

/** Who wrote the message that is answered. */
async function senderOf(parent: string | undefined, { call }: ToolCall): Promise<string> {
  if (parent === undefined) throw new ToolProblem('VALIDATION', 'targetId: required (a string), or parentMessageId.')
  const { messages } = await call('read-messages', { status: 'all', limit: 100 })
  const found = messages.find(({ messageId }) => messageId === parent)
  if (found === undefined)
    throw new ToolProblem('VALIDATION', 'targetId: required, since the message that it answers is not a recent one.')
  if (found.senderType === 'user') return 'user'
  // Stored when agents could be called so: an answer would go to the person, or to all.
  if (found.fromAgentId === 'user' || found.fromAgentId === '*')
    throw new ToolProblem('VALIDATION', 'targetId: required, since the name of the sender names no single agent.')
  return found.fromAgentId
}

const minutesOfAWeek = 10_080

/** Messages wait for whoever comes; a name that nobody has is most likely misspelled. */
async function strangerHint(targetId: string, { call }: ToolCall): Promise<string[]> {
  try {
    const { agents } = await call('list-active-agents', { withinMinutes: minutesOfAWeek, limit: 100 })
    const names = [...new Set(agents.map(({ agentId }) => agentId))]
    if (names.includes(targetId)) return []
    const known = names.slice(0, 10).map((name) => JSON.stringify(nameOf(name)))
    return [
      `note: no agent of exactly this name was seen in the last 7 days${known.length === 0 ? '' : `; there were ${known.join(', ')}`}.`,
    ]
  } catch {
    // It was sent: that nobody can be asked changes nothing.
    return []
  }
}

export const ackMessage = tool({
  name: 'ack_message',
  title: 'Acknowledge messages',
  description: 'Mark messages to this agent as handled; the sender sees the note.',
  inputSchema: schemaOf(
    {
      ids: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string' } },
      note: { type: 'string', description: 'What came of it.' },
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
    const before = results.filter(({ alreadyAcknowledged }) => alreadyAcknowledged).length
    return {
      head: [
        `acknowledged: ${counted(results.length, 'message')}${before === 0 ? '' : `, ${before} of them before`}`,
        ...(notFound.length === 0 ? [] : [`no messages to this agent: ${notFound.join(', ')}`]),
      ],
      data: { ...answer },
    }
  },
})
