import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { acknowledge, acknowledgement, ackNote } from './acknowledge.ts'
import { exampleMessage } from './message.ts'

export const acknowledgeMessages = operation({
  name: 'acknowledge-messages',
  for: { person: 'POST /api/messages/ack' },
  summary: 'Acknowledge messages to you. Of a broadcast each recipient acknowledges its own.',
  effect: 'write',
  changes: ['messages'],
  about: ({ ids }) => refs('message', ids),
  input: z.object({
    ids: z.array(z.uuid()).min(1).max(50).describe('Ids of the messages, 1 to 50.'),
    note: ackNote.optional(),
  }),
  output: z.looseObject({
    messages: z.array(z.looseObject(acknowledgement)).describe('In the order asked.'),
    notFound: z.array(z.uuid()).describe('Ids that are no messages to you.'),
  }),
  examples: {
    input: { ids: [exampleMessage.messageId], note: 'Seen, thank you.' },
    output: {
      messages: [
        {
          messageId: exampleMessage.messageId,
          acknowledged: true,
          status: 'acknowledged',
          acknowledgedAt: '2026-11-21T09:30:00.000Z',
          alreadyAcknowledged: false,
        },
      ],
      notFound: [],
    },
  },
  async run({ ids, note }, ctx) {
    const { results, missing } = await acknowledge(ctx, [...new Set(ids)], { note })
    if (results.length === 0) throw notFound('Message')
    return { messages: results, notFound: missing }
  },
})
