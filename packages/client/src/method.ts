import type { Call, PagedCall } from './call.ts'
import type { OperationName, Operations } from './generated/operations.ts'

/** How one call is made; each beats what the client was made with. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** For the call with all its attempts, in milliseconds. */
  timeoutMs?: number | undefined
  /** How often it is tried again, where that can do no harm. */
  maxRetries?: number | undefined
}

/** An operation as a function. The input may be left out where no field of it is required. */
export type Method<Name extends OperationName> = MethodOf<Operations[Name]>

/** What a call of an operation gives. */
export type Reply<Name extends OperationName> = ReplyOf<Operations[Name]>

/** What an operation takes and answers; where it answers in pages, what an item of them is. */
interface Shape {
  input: object
  output: object
  item?: unknown
}

export type MethodOf<Of extends Shape> =
  Record<string, never> extends Of['input']
    ? (input?: Of['input'], options?: CallOptions) => ReplyOf<Of>
    : (input: Of['input'], options?: CallOptions) => ReplyOf<Of>

export type ReplyOf<Of extends Shape> = Of extends { item: infer Item }
  ? PagedCall<Of['output'], Item>
  : Call<Of['output']>
