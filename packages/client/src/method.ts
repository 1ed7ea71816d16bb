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
export type Method<Name extends OperationName> =
  Record<string, never> extends Operations[Name]['input']
    ? (input?: Operations[Name]['input'], options?: CallOptions) => Reply<Name>
    : (input: Operations[Name]['input'], options?: CallOptions) => Reply<Name>

/** What a call of an operation gives. */
export type Reply<Name extends OperationName> = Operations[Name] extends { item: infer Item }
  ? PagedCall<Operations[Name]['output'], Item>
  : Call<Operations[Name]['output']>
