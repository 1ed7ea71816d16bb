import { contextText, type Operations } from '@holdfast/client'
import { z } from 'zod'
import { scopesOf } from '../auth/vault-access.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { getIntegration, type Integration } from '../integrations/store.ts'
import type { Inbox } from '../messages/inbox-store.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { assembleAnswer } from './assemble-answer.ts'
import { gatherParts } from './gather-parts.ts'
import { sectionOrder } from './profiles.ts'
import { exampleAnswer, resolveRequest, sessionAnswer, sessionFields } from './session-start.ts'
import { listVaultIds } from '../vaults/store.ts'

/** For English prose. Code and other languages have more tokens per character. */
const charsPerToken = 4

const sized = { chars: z.int(), estimatedTokens: z.int().describe('One per four characters.') }
const sizeOf = (chars: number) => ({ chars, estimatedTokens: Math.ceil(chars / charsPerToken) })

export const previewContext = operation({
  name: 'preview-context',
  for: { person: 'POST /api/context/preview' },
  vault: 'required',
  leastRole: 'owner',
  summary: 'Preview what an agent gets at the start of a session in this vault. No session begins.',
  effect: 'read',
  about: ({ integrationId }) => refs('integration', integrationId),
  needs: [['agentId'], ['integrationId']],
  input: z.object({
    ...fields.ownVault,
    agentId: fields.senderName
      .optional()
      .describe("Preview as this agent, with its messages. Default: the integration's agent."),
    integrationId: z
      .uuid()
      .optional()
      .describe(
        "Include only vaults that this integration can read, and the changes since the agent's last session with its keys. Default: all your vaults, and no changes.",
      ),
    ...sessionFields,
    maxTextChars: z
      .int()
      .min(2000)
      .max(100_000)
      .default(9000)
      .describe('Maximum characters of `text`, 2,000 to 100,000. Hooks use 9,000.'),
  }),
  output: z.looseObject({
    agentId: z.string(),
    answer: sessionAnswer.describe('The answer of session-start.'),
    text: z.string().describe('The same as text, in the form that a model gets.'),
    size: z.looseObject({
      answer: z.looseObject(sized).describe('As JSON.'),
      text: z.looseObject(sized),
    }),
    sections: z
      .array(
        z.looseObject({
          name: z.string(),
          entries: z.int(),
          ...sized,
          omitted: z.int().describe('Entries that did not fit.'),
        }),
      )
      .describe('Sizes of the parts of the answer, as JSON. The last part is dropped first.'),
  }),
  examples: {
    input: { vaultId: exampleAnswer.sessionContext.vault.vaultId, agentId: 'claude-code' },
    output: {
      agentId: 'claude-code',
      answer: exampleAnswer,
      text: 'Memory of the vault Main. …',
      size: { answer: sizeOf(871), text: sizeOf(402) },
      sections: [{ name: 'facts', entries: 1, ...sizeOf(231), omitted: 0 }],
    },
  },
  async run({ integrationId, maxTextChars, ...asked }, ctx) {
    const { db, instance, actor } = ctx
    const integration =
      integrationId === undefined ? undefined : await getIntegration(db.read, instance, actor.userId, integrationId)
    if (integration !== undefined && !mayRead(integration, ctx.vault.id))
      throw forbidden('This integration cannot read the vault. Change its access under Agents.')
    const agentId = asked.agentId ?? integration?.profile.agentId ?? integration?.profile.label
    if (agentId === undefined) throw invalid({ agentId: 'required without integrationId' })
    // With a new run id, changes are counted from the agent's last session.
    const marker = integrationId === undefined ? undefined : { integrationId, agentId }
    const request = resolveRequest(ctx, asked, { agentRunId: newId(), marker, movesMark: false })
    const inbox = await inboxOf(ctx, agentId, integration)
    const answer = assembleAnswer(request, await gatherParts(ctx, request, inbox))
    const text = contextText(answer as Operations['session-start']['output'], {
      maxChars: maxTextChars,
      hasTools: true,
    })
    return {
      agentId,
      answer,
      text,
      size: { answer: sizeOf(JSON.stringify(answer).length), text: sizeOf(text.length) },
      sections: sectionOrder(request.mode).map((name) => {
        const entries: readonly unknown[] = { ...answer, ...answer.sessionContext }[name]
        return {
          name,
          entries: entries.length,
          ...sizeOf(JSON.stringify(entries).length),
          omitted: answer.budget.omitted[name] ?? 0,
        }
      }),
    }
  },
})

/** The agent's inbox, in the vaults that the integration can read. */
async function inboxOf(
  { actor, db, now }: Pick<PersonVaultContext, 'actor' | 'db' | 'now'>,
  agentId: string,
  integration: Integration | undefined,
): Promise<Inbox> {
  const vaultIds = await listVaultIds(db.read, actor.userId)
  return {
    userId: actor.userId,
    vaultIds: integration === undefined ? vaultIds : vaultIds.filter((id) => mayRead(integration, id)),
    reader: { type: 'agent', id: agentId },
    at: now(),
  }
}

function mayRead({ restrictToVault, grants, preset }: Integration, vaultId: string): boolean {
  const grant = grants.find((each) => each.vaultId === vaultId)
  return (grant !== undefined || !restrictToVault) && scopesOf(grant?.preset ?? preset).includes('read')
}
