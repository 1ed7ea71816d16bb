/** Refuses a start. The message says what was found and what to do. */
export class StoreError extends Error {
  /** `away`: the store may become available by itself. `missing`: it doesn't exist yet. `wrong`: someone has to fix it. */
  readonly kind: 'away' | 'missing' | 'wrong'

  constructor(message: string, options: ErrorOptions & { kind?: StoreError['kind'] } = {}) {
    super(message, options)
    this.name = 'StoreError'
    this.kind = options.kind ?? 'wrong'
  }
}

/** The error code, which both drivers set; empty if there is none. */
export function driverCode(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Whether a unique key forbids a change: another row has these values. Nothing of its transaction was written. */
export const isTaken = (error: unknown): boolean =>
  /^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)|23505)$/.test(driverCode(error))
