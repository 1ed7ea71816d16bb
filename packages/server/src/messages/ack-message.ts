import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { acknowledge, acknowledgement, ackNote } from './acknowledge.ts'
import { exampleMessage, inboxVault, messageId } from './message.ts'

export const ackMessage = operation({
  name: 'ack-message',
  for: { agent: { scopes: ['write'] } },
  vault: 'all',
  summary: 'Acknowledge a message to this agent, or several. Of a broadcast each recipient acknowledges its own.',
  effect: 'write',
  changes: ['messages'],
  about: ({ messageId: id, messageIds: ids }) => refs('message', id ?? ids),
  alias: 'messageId',
  input: z.object({
    messageId: messageId.optional(),
    messageIds: z.array(z.uuid()).min(1).max(50).optional().describe('Ids of several messages, 1 to 50.'),
    note: ackNote.optional(),
    vaultId: inboxVault,
    ...fields.common,
  }),
  output: z.looseObject({
    ...acknowledgement,
    results: z
      .array(z.looseObject(acknowledgement))
      .optional()
      .describe(
        'One for each message, in the order asked, where messageIds was sent; the fields beside it are of the first.',
      ),
    notFound: z.array(z.uuid()).optional().describe('Ids that are no messages to this agent.'),
  }),
  examples: {
    input: {
      messageId: exampleMessage.messageId,
      note: 'Done, see the pull request.',
      agentId: exampleMessage.targetId,
    },
    output: {
      messageId: exampleMessage.messageId,
      acknowledged: true,
      status: 'acknowledged',
      acknowledgedAt: '2026-11-21T09:30:00.000Z',
      alreadyAcknowledged: false,
    },
  },
  async run({ messageId: one, messageIds, note, vaultId, agentId }, ctx) {
    const ids = [...new Set([...(one === undefined ? [] : [one]), ...(messageIds ?? [])])]
    if (ids.length === 0) throw invalid({ messageId: 'required (string), or messageIds' })
    const { results, missing } = await acknowledge(ctx, ids, { vaultId, agentId, note })
    const [first] = results
    if (first === undefined) throw notFound('Message')
    if (messageIds === undefined) return first
    return { ...first, results, notFound: missing }
  },
})
