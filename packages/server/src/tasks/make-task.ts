import type { JsonValue } from '../core/json.ts'
import { createMemory, type CreatedMemory, type MemoryDraft } from '../memories/create-memory.ts'
import { taskContent, type TaskStatus } from '../memories/task-state.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import { openSettings } from '../vaults/settings-store.ts'

/** A task as somebody wants it. */
export interface NewTask {
  title: string
  description?: string | undefined
  status: TaskStatus
  priority: number
  assignedAgentId?: string | undefined
  doneWhen?: string | undefined
  blockedReason?: string | undefined
  entities?: string[] | undefined
  metadata?: Record<string, JsonValue> | undefined
  externalWriteId?: string | undefined
  /** Look first for a task that says the same. */
  dedup?: boolean
  agentId?: string | undefined
  agentRunId?: string | undefined
  modelId?: string | undefined
}

export const makeTask = (ctx: VaultContext, task: NewTask): Promise<CreatedMemory> =>
  createMemory(ctx, draftOf(task, ctx))

const draftOf = (task: NewTask, ctx: VaultContext): MemoryDraft => ({
  content: taskContent(task.title, task.description),
  memoryType: 'task',
  importance: task.priority,
  confidence: 3,
  head: {
    entities: task.entities ?? [],
    sourceNoteIds: [],
    externalWriteId: task.externalWriteId,
    metadata: task.metadata ?? {},
    agentId: claimedAgentId(ctx, task.agentId),
    agentRunId: task.agentRunId ?? ctx.request.runId,
    modelId: task.modelId,
    titleChars: task.title.length,
    route: ctx.request.operation,
  },
  relatedMemoryIds: [],
  supersedesId: undefined,
  expiresAt: undefined,
  occurredAt: undefined,
  externalKind: 'task',
  task: {
    status: task.status,
    completedAt: task.status === 'done' ? ctx.now() : undefined,
    detail: {
      assignedAgentId: task.assignedAgentId,
      // An empty text says nothing, as in a change.
      doneWhen: task.doneWhen || undefined,
      blockedReason: task.blockedReason || undefined,
      statusHistory: [],
    },
    revision: 1,
  },
  dedup: task.dedup === true ? openSettings(ctx.vault).dedup : undefined,
})
