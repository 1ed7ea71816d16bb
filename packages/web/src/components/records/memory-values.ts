import type { Memory } from '@holdfast/client/dashboard'
import { changesBetween } from '../forms/changes-between.ts'
import type { MemoryType } from './memory-types.tsx'

/** A memory as its form holds it. */
export interface MemoryValues {
  content: string
  summary: string
  memoryType: MemoryType
  importance: string
  confidence: string
  entities: string[]
  /** As `datetime-local` has it: local, without seconds; empty: never. */
  expiresAt: string
}

export const valuesOf = (memory: Memory | undefined): MemoryValues => ({
  content: memory?.content ?? '',
  summary: memory?.summary ?? '',
  memoryType: memory?.memoryType ?? 'fact',
  importance: String(memory?.importance ?? 3),
  confidence: String(memory?.confidence ?? 3),
  entities: memory?.entities ?? [],
  expiresAt: memory?.expiresAt == null ? '' : localTime(memory.expiresAt),
})

export function newFields({ content, summary, memoryType, importance, confidence, entities, expiresAt }: MemoryValues) {
  return {
    content,
    summary: summary.trim() === '' ? undefined : summary.trim(),
    memoryType,
    importance: Number(importance),
    confidence: Number(confidence),
    entities,
    expiresAt: expiresAt === '' ? undefined : new Date(expiresAt).toISOString(),
  }
}

/** Only what is not as it was, so that an edit touches nothing that nobody meant to change. */
export function changedFields(values: MemoryValues, memory: Memory) {
  const changed = changesBetween(valuesOf(memory), values)
  const fields = {
    ...newFields(values),
    summary: values.summary.trim(),
    expiresAt: newFields(values).expiresAt ?? null,
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in changed)) as Partial<typeof fields>
}

function localTime(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
