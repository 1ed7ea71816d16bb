/** Counts what agents call, by day: see `limits/count-calls.ts`. */
export interface CallCounter {
  /** A call that has ended. */
  note(call: EndedCall): void
  noteTokens(call: CountedCall, tokens: number): void
  /** Writes what is counted so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface CountedCall {
  userId: string
  integrationId: string
  operation: string
}

export interface EndedCall extends CountedCall {
  /** Of the answer, as HTTP has it. */
  status: number
  durationMs: number
  /** Undefined where nobody has counted them. */
  answerChars: number | undefined
}
