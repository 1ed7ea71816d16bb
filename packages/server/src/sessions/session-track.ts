import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { recordRun } from '../runs/run-store.ts'

const events = ['start', 'heartbeat', 'tool', 'end'] as const

export const sessionTrack = operation({
  name: 'session-track',
  for: { agent: { toolset: 'hooks', scopes: ['write'], isSentByHooks: true, recordsOwnRun: true } },
  vault: 'resolved',
  summary:
    'Report that a run is alive, what it is doing, and when it ends. Other calls with its agentRunId (in the body, or as X-Agent-Run-Id) are counted automatically. list-active-agents shows the run.',
  effect: 'write',
  changes: ['runs'],
  input: z.object({
    event: z
      .enum(events)
      .default('heartbeat')
      .describe(
        'start (creates a run id if you give none), heartbeat, tool (counts a tool call outside this service), or end.',
      ),
    toolName: z.string().min(1).max(200).optional().describe('The tool that was called.'),
    currentActivity: z
      .string()
      .max(500)
      .optional()
      .describe('What the run is doing, at most 500 characters, for other agents to see. Default: the toolName.'),
    metadata: fields.metadata.optional().describe('Stored with the run. Replaces earlier metadata.'),
    ...fields.inVault,
    agentRunId: fields.agentRunId
      .optional()
      .describe('The run. Needed, here or in the X-Agent-Run-Id header, unless the event is `start`.'),
  }),
  output: z.looseObject({
    tracked: z.boolean(),
    agentRunId: z.string(),
    toolCalls: z.int().describe('Calls of the run so far: calls to this service in this vault, and tool events.'),
    startedAt: fields.timestamp,
    lastSeenAt: fields.timestamp,
    endedAt: fields.timestamp.nullable(),
  }),
  examples: {
    input: { event: 'start', agentRunId: 'run-42', currentActivity: 'Reviewing the parser' },
    output: {
      tracked: true,
      agentRunId: 'run-42',
      toolCalls: 0,
      startedAt: '2026-11-21T09:00:00.000Z',
      lastSeenAt: '2026-11-21T09:00:00.000Z',
      endedAt: null,
    },
  },
  async run(input, ctx) {
    const { db, vault, runs, request, actor } = ctx
    const { event, toolName, currentActivity = toolName, metadata, modelId } = input
    const agentRunId = input.agentRunId ?? request.runId ?? (event === 'start' ? newId() : undefined)
    if (agentRunId === undefined)
      throw invalid({ agentRunId: 'required, here or in the X-Agent-Run-Id header; only start creates one' })
    // The answer includes calls that this process has counted but not written yet.
    await runs.flush(vault.id)
    const agentId = claimedAgentId(ctx, input.agentId)
    const at = ctx.now()
    const run = await db.write(async (tx) => {
      await lockVault(tx, vault)
      return recordRun(tx, vault, {
        agentRunId,
        agentId,
        isNamed: input.agentId !== undefined,
        modelId,
        currentActivity,
        metadata,
        integrationId: actor.integrationId,
        calls: event === 'tool' ? 1 : 0,
        firstAt: at,
        lastAt: at,
        ...(event === 'end' && { hasEnded: true }),
      })
    })
    return {
      tracked: true,
      agentRunId,
      toolCalls: run.toolCalls,
      startedAt: isoTime(run.startedAt),
      lastSeenAt: isoTime(run.lastSeenAt),
      endedAt: isoTimeOrNull(run.endedAt),
    }
  },
})
