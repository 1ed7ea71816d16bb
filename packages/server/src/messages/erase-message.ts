import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { getSeq, lockVaultRow, recordRemovals } from '../vault-index/stored/store.ts'
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
      const vault = { userId: inbox.userId, id: message.vaultId }
      await deleteMessages(tx, { userId: vault.userId, vaultId: vault.id }, [id])
      await recordRemovals(tx, vault, await getSeq(tx, vault), [id])
    })
    return { id, deleted: true } as const
  },
})
