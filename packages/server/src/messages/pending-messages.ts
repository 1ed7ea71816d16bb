import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { exampleMessage, inboxVault, messageRecord, priorityMin } from './message.ts'
import { openInbox } from './open-inbox.ts'
import { readPending } from './read-inbox.ts'

export const pendingMessages = operation({
  name: 'pending-messages',
  scopes: ['read'],
  vault: 'all',
  summary: 'List what this agent has yet to acknowledge: the most urgent first, then the oldest.',
  effect: 'read',
  input: z.object({ priorityMin, limit: fields.limit, vaultId: inboxVault, ...fields.common }),
  output: z.looseObject({
    messages: z.array(messageRecord),
    count: z.int().describe('How many there are, of which at most `limit` are listed.'),
  }),
  examples: {
    input: { priorityMin: 3, agentId: exampleMessage.targetId },
    output: { messages: [exampleMessage], count: 1 },
  },
  async run({ priorityMin: least, limit, vaultId, agentId }, ctx) {
    const inbox = await openInbox(ctx, 'read', { vaultId, agentId })
    const { messages, total } = await readPending(ctx, inbox, { limit, priorityMin: least })
    return { messages, count: total }
  },
})
