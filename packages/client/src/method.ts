import type { Call, PagedCall } from './call.ts'
import type { OperationName, Operations } from './generated/operations.ts'

/** Options of one call. They override the client options. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Time limit for the call including retries, in milliseconds. */
  timeoutMs?: number | undefined
  /** How often to retry, if that is safe. */
  maxRetries?: number | undefined
}

/** An operation as a function. The input is optional if it has no required fields. */
export type Method<Name extends OperationName> = MethodOf<Operations[Name]>

/** The return type of an operation. */
export type Reply<Name extends OperationName> = ReplyOf<Operations[Name]>

/** Input and output of an operation, and the item type of a paged one. */
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
