import type { MemoryType } from '../memories/memory.ts'

/**
 * A rule that turns an English sentence into a memory. Rules prefer to miss a memory over storing a wrong one, since every later
 * session reads it. A pattern gets one sentence of bounded length, without lead-ins ("Please", "By the way,").
 */
export interface SentenceRule {
  memoryType: MemoryType
  importance: number
  /** Also applies to the assistant's sentences: decisions and causes. Preferences and rules come from the user only. */
  byAssistant?: true
  pattern: RegExp
  /** The memory's text, if it isn't the sentence itself. Undefined: not a memory. */
  rewrite?(match: RegExpExecArray): string | undefined
}

// Words that refer to something said before. Without that context the sentence has no meaning.
export const pointer = String.raw`(?:it|that(?! (?:you|we|all|every|the)\b)|this|these|those|them|you|him|her|what|how|when|where|who|why|your|the (?:idea|way|look|sound|plan|approach|suggestion|result|direction))\b`
export const pronoun = String.raw`(?:it|that|this|these|those|he|she|they|there|here|we|you|I|one|which|who|what)\b`

export const pattern = (source: string, flags = 'iu') => new RegExp(source, flags)

export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
