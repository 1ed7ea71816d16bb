import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import type { AgentContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { deliverMessage, draftFields } from './deliver-message.ts'
import { categories, exampleMessage, isVisibleTo, targetTypes, type Envelope } from './message.ts'
import { openInbox } from './open-inbox.ts'
import { findEnvelopes } from './store.ts'

const input = z.object({
  ...draftFields,
  externalWriteId: fields.externalWriteId.describe(
    'Idempotency key: a repeat answers with the first message and sends nothing.',
  ),
  ...fields.inVault,
})

export const sendMessage = operation({
  name: 'send-message',
  for: { agent: { scopes: ['write'], findVaultId: findParentVaultId } },
  vault: 'resolved',
  summary: 'Send a message to an agent, to the person, or to all agents of the vault.',
  effect: 'write',
  changes: ['messages'],
  input,
  output: z.looseObject({
    messageId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True where an earlier message with the same externalWriteId answered.'),
    targetId: z.string(),
    targetType: z.enum(targetTypes),
    category: z.enum(categories),
    priority: z.int(),
    vaultId: z.uuid(),
    threadId: z.uuid(),
    expiresAt: fields.timestamp,
  }),
  returns: ({ messageId }) => refs('message', messageId),
  examples: {
    input: {
      targetId: 'claude-code',
      template: 'task_assignment',
      content: 'Please review the migration of the billing tables.',
    },
    output: {
      messageId: exampleMessage.messageId,
      created: true,
      idempotent: false,
      targetId: 'claude-code',
      targetType: 'agent',
      category: 'task',
      priority: 4,
      vaultId: exampleMessage.vaultId,
      threadId: exampleMessage.threadId,
      expiresAt: '2026-12-21T09:00:00.000Z',
    },
  },
  created: ({ created }) => created,
  async run(draft, ctx) {
    const { message, wasCreated } = await deliverMessage(ctx, draft)
    return describe(message, wasCreated)
  },
})

const parentOf = z.object({ parentMessageId: z.uuid(), agentId: z.string().optional().catch(undefined) })

/** A reply goes where its parent lies, expired or not, if the caller can see it. */
async function findParentVaultId(raw: unknown, ctx: AgentContext): Promise<string | undefined> {
  const { data } = parentOf.safeParse(raw)
  if (data === undefined) return undefined
  const inbox = await openInbox(ctx, 'read', { agentId: data.agentId })
  const [parent] = await findEnvelopes(ctx.db.read, { ...inbox, at: 0 }, [data.parentMessageId.toLowerCase()])
  return parent !== undefined && isVisibleTo(parent, inbox.reader) ? parent.vaultId : undefined
}

const describe = (message: Envelope, created: boolean) => ({
  messageId: message.messageId,
  created,
  idempotent: !created,
  targetId: message.targetId,
  targetType: message.targetType,
  category: message.category,
  priority: message.priority,
  vaultId: message.vaultId,
  threadId: message.threadId,
  expiresAt: isoTime(message.expiresAt),
})
