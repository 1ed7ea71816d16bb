import type { WorkflowRunQuery, WorkflowStateEntry } from '@voltagent/core'
import { clip } from './clip.ts'
import type { Client } from './create-client.ts'
import { hashTag } from './hash-tag.ts'
import { NoteRecords } from './note-records.ts'

/** The states of VoltAgent's workflows, one note for each run. */
export class WorkflowStates {
  readonly #folder: string
  readonly #states: NoteRecords<WorkflowStateEntry>

  constructor(client: Client, folder: string) {
    this.#folder = folder
    this.#states = new NoteRecords(client, folder)
  }

  async read(id: string): Promise<WorkflowStateEntry | null> {
    const found = await this.#states.read(await this.#tag('run', id))
    return found === undefined ? null : reviveDates(found.record)
  }

  /** The newest first. */
  async query(query: WorkflowRunQuery): Promise<WorkflowStateEntry[]> {
    const { workflowId, limit = Infinity, offset = 0 } = query
    const tag = workflowId === undefined ? this.#tag('runs') : this.#tag('runs-of', workflowId)
    const found: WorkflowStateEntry[] = []
    for await (const { record } of this.#states.list(await tag)) {
      const state = reviveDates(record)
      if (matches(state, query)) found.push(state)
    }
    return found.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).slice(offset, offset + limit)
  }

  async keep(id: string, state: WorkflowStateEntry): Promise<void> {
    const above = await Promise.all([this.#tag('runs'), this.#tag('runs-of', state.workflowId)])
    await this.#states.keep({ tag: await this.#tag('run', id), title: clip(state.workflowName, 200), above }, state)
  }

  async update(id: string, updates: Partial<WorkflowStateEntry>): Promise<void> {
    const state = await this.read(id)
    if (state === null) throw new Error(`Workflow state ${id} not found`)
    await this.keep(id, { ...state, ...updates, updatedAt: new Date() })
  }

  #tag = (kind: string, ...names: string[]) => hashTag(`voltagent-${kind}`, this.#folder, ...names)
}

/** JSON has texts instead of dates. */
function reviveDates(state: WorkflowStateEntry): WorkflowStateEntry {
  const { suspension, cancellation } = state
  return {
    ...state,
    createdAt: new Date(state.createdAt),
    updatedAt: new Date(state.updatedAt),
    ...(suspension && { suspension: { ...suspension, suspendedAt: new Date(suspension.suspendedAt) } }),
    ...(cancellation && { cancellation: { ...cancellation, cancelledAt: new Date(cancellation.cancelledAt) } }),
  }
}

function matches(state: WorkflowStateEntry, query: WorkflowRunQuery): boolean {
  const { status, userId, from, to, metadata = {} } = query
  return (
    (status === undefined || state.status === status) &&
    (userId === undefined || state.userId === userId) &&
    (from === undefined || state.createdAt >= from) &&
    (to === undefined || state.createdAt <= to) &&
    Object.entries(metadata).every(([name, value]) => JSON.stringify(state.metadata?.[name]) === JSON.stringify(value))
  )
}
