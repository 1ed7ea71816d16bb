// What a task, a lease of a job, an idempotency key and a memory are, without servers, faults and other callers.

import type { Model } from './linearizable.ts'

/** `undefined`: no answer came, or one that doesn't say whether it had its effect. */
type Unknown = undefined

export interface TaskState {
  status: 'todo' | 'in_progress' | 'done'
  assignee: string | null
  version: number
}

export type TaskOp =
  | { kind: 'claim' | 'give back' | 'complete'; by: string; answer: { version: number } | 'conflict' | Unknown }
  | { kind: 'read'; answer: TaskState | Unknown }

/** Each change says in which status it expects the task. */
const changes = {
  claim: { from: 'todo', to: 'in_progress' },
  'give back': { from: 'in_progress', to: 'todo' },
  complete: { from: 'in_progress', to: 'done' },
} as const

export const taskModel: Model<TaskState, TaskOp> = {
  initial: { status: 'todo', assignee: null, version: 1 },
  apply(state, op) {
    if (op.kind === 'read') {
      const { answer } = op
      const isSame =
        answer?.status === state.status && answer.assignee === state.assignee && answer.version === state.version
      return isSame || answer === undefined ? [state] : []
    }
    const { from, to } = changes[op.kind]
    if (state.status !== from) return op.answer === 'conflict' || op.answer === undefined ? [state] : []
    if (op.answer === 'conflict') return []
    const version = state.version + 1
    if (op.answer !== undefined && op.answer.version !== version) return []
    return [{ status: to, assignee: op.kind === 'give back' ? null : op.by, version }]
  },
}

export interface LeaseState {
  holder: string | undefined
  until: number
}

/** `at`: the clock of the server while it made the call. */
export type LeaseOp = { by: string; at: number } & (
  | { kind: 'claim'; answer: 'taken' | 'wait' | Unknown }
  | { kind: 'renew'; answer: boolean | Unknown }
  | { kind: 'release'; answer: 'released' | Unknown }
)

export const leaseModel = (leaseMs: number): Model<LeaseState, LeaseOp> => ({
  initial: { holder: undefined, until: 0 },
  apply(state, { by, at, ...op }) {
    const isMine = state.holder === by
    if (op.kind === 'claim') {
      const isFree = state.until <= at
      if (op.answer === 'wait') return isFree ? [] : [state]
      if (isFree) return [{ holder: by, until: at + leaseMs }]
      return op.answer === 'taken' ? [] : [state]
    }
    if (op.kind === 'renew') {
      if (op.answer !== undefined && op.answer !== isMine) return []
      return [isMine ? { holder: by, until: at + leaseMs } : state]
    }
    return [isMine ? { holder: by, until: 0 } : state]
  },
})

/** The id of the record under a key; `?` if an unanswered call may have stored it. */
export interface KeyState {
  id: string | undefined
}

export interface KeyOp {
  answer: { id: string; wasCreated: boolean } | Unknown
}

export const keyModel: Model<KeyState, KeyOp> = {
  initial: { id: undefined },
  apply({ id }, { answer }) {
    if (answer === undefined) return [{ id: id ?? '?' }]
    const isFirst = id === undefined
    if (answer.wasCreated !== isFirst) return []
    return isFirst || id === '?' || id === answer.id ? [{ id: answer.id }] : []
  },
}

export type MemoryState = 'absent' | 'there' | 'archived'

/** `repeat`: a write under the same key, which changes nothing. */
export type MemoryOp = { kind: 'write' | 'repeat' | 'archive' } | { kind: 'search'; finds: boolean }

export const memoryModel: Model<MemoryState, MemoryOp> = {
  initial: 'absent',
  apply(state, op) {
    if (op.kind === 'search') return op.finds === (state === 'there') ? [state] : []
    if (op.kind === 'write') return state === 'absent' ? ['there'] : []
    if (op.kind === 'repeat') return state === 'absent' ? [] : [state]
    return state === 'absent' ? [state] : ['archived']
  },
}
