import { z } from 'zod'
import { newId } from '../core/ids.ts'
import { openInbox } from '../messages/open-inbox.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { assembleAnswer } from './assemble-answer.ts'
import { gatherParts } from './gather-parts.ts'
import { resolveRequest } from './resolve-request.ts'
import { exampleAnswer, sessionAnswer, sessionFields } from './session-contract.ts'

const input = z.object({
  ...sessionFields,
  peek: z
    .boolean()
    .default(false)
    .describe('Only look: no session begins, and what counts as changed at the next one stays.'),
  ...fields.inVault,
})

export const sessionStart = operation({
  name: 'session-start',
  for: { agent: { scopes: ['read'] } },
  vault: 'resolved',
  summary:
    'Begin a session: what an agent should know of the vault, in one answer of a size that it chooses. Send its agentRunId with what follows (in the body, or as X-Agent-Run-Id), and list-active-agents shows this run to others.',
  // That it was called is noted, as for any key; nothing that anybody wrote changes. In one run it may be repeated.
  effect: 'read',
  input,
  output: sessionAnswer,
  returns: ({ sessionContext: { episodic, facts, tasks, constraints }, pendingMessages }) => [
    ...refs(
      'memory',
      [...episodic, ...facts, ...constraints].map(({ memoryId }) => memoryId),
    ),
    ...tasks.flatMap(({ taskId: id }) => refs('task', id)),
    ...pendingMessages.flatMap(({ messageId: id }) => refs('message', id)),
  ],
  examples: {
    input: { mode: 'default', query: 'Go formatting' },
    output: exampleAnswer,
  },
  async run(asked, ctx) {
    const request = resolveRequest(ctx, asked, {
      agentId: claimedAgentId(ctx, asked.agentId),
      agentRunId: asked.agentRunId ?? ctx.request.runId ?? newId(),
      peek: asked.peek,
    })
    const inbox = await openInbox(ctx, 'read', { agentId: request.agentId })
    return assembleAnswer(request, await gatherParts(ctx, request, inbox))
  },
})
