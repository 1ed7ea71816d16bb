import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVaultRow } from '../vault-index/stored/store.ts'
import { exampleMessage, messageId } from './message.ts'
import { openInbox } from './inbox.ts'
import { deleteMessages, findEnvelopes } from './store.ts'

export const eraseMessage = operation({
  name: 'erase-message',
  for: { person: 'DELETE /api/messages' },
  summary: 'Delete a message in one of your vaults permanently, for everyone.',
  effect: 'destructive',
  changes: ['messages'],
  about: ({ id }) => refs('message', id),
  input: z.object({ id: messageId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { id: exampleMessage.messageId },
    output: { id: exampleMessage.messageId, deleted: true },
  },
  async run({ id }, ctx) {
    const inbox = await openInbox(ctx, 'read', {})
    await ctx.db.write(async (tx) => {
      const [message] = await findEnvelopes(tx, inbox, [id])
      // The lock keeps others from replying to or acknowledging it meanwhile.
      if (message === undefined || !(await lockVaultRow(tx, inbox.userId, message.vaultId))) throw notFound('Message')
      await deleteMessages(tx, { userId: inbox.userId, vaultId: message.vaultId }, [id])
    })
    return { id, deleted: true } as const
  },
})
