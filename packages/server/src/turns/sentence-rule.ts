import type { MemoryType } from '../memories/memory.ts'

/**
 * Sentences of which a memory is made, in English. A rule says too little rather than too much: what it makes is read by
 * every later session. Patterns see one sentence of bounded length, without what it is led in by ("Please", "By the way,").
 */
export interface SentenceRule {
  memoryType: MemoryType
  importance: number
  /** Decisions and causes are told by both sides; wishes and rules are the user's alone. */
  byAssistant?: true
  pattern: RegExp
  /** The memory's text where it is not the sentence itself; undefined: this is none after all. */
  rewrite?(match: RegExpExecArray): string | undefined
}

// What stands for something said before: without it the sentence means nothing.
export const pointer = String.raw`(?:it|that(?! (?:you|we|all|every|the)\b)|this|these|those|them|you|him|her|what|how|when|where|who|why|your|the (?:idea|way|look|sound|plan|approach|suggestion|result|direction))\b`
export const pronoun = String.raw`(?:it|that|this|these|those|he|she|they|there|here|we|you|I|one|which|who|what)\b`

export const pattern = (source: string, flags = 'iu') => new RegExp(source, flags)

export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
