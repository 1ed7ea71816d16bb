import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { deliverMessage, draftFields } from './deliver-message.ts'
import { exampleMessage, messageRecord } from './message.ts'
import { openInbox } from './open-inbox.ts'
import { readMessage } from './read-inbox.ts'

export const postMessage = operation({
  name: 'post-message',
  for: { person: 'POST /api/messages' },
  vault: 'required',
  summary: 'Send a message to an agent, or to all agents of the vault. They see that it is from the person.',
  effect: 'write',
  changes: ['messages'],
  input: z.object({ ...ownVault, ...draftFields }),
  output: z.looseObject({ message: messageRecord }),
  returns: ({ message }) => refs('message', message.messageId),
  examples: {
    input: {
      vaultId: exampleMessage.vaultId,
      targetId: 'claude-code',
      template: 'task_assignment',
      content: exampleMessage.content,
    },
    output: { message: { ...exampleMessage, fromAgentId: 'user', senderType: 'user' } },
  },
  created: () => true,
  async run({ vaultId, ...draft }, ctx) {
    const { message } = await deliverMessage(ctx, draft)
    return { message: await readMessage(ctx, await openInbox(ctx, 'read', { vaultId }), message.messageId) }
  },
})
