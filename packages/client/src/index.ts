export { createClient, type Client, type ClientOptions, type Run, type TriedContext } from './create-client.ts'
export { Call, PagedCall, type Answer } from './call.ts'
export { defaultUrl } from './connection.ts'
export { contextText, fitContext, type ContextOptions, type FittedContext } from './context-text.ts'
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  HoldfastError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ScopeDeniedError,
  ServerError,
  TimeoutError,
  UnavailableError,
  WebhookVerificationError,
} from './errors.ts'
export { defuseMarks } from './defuse-marks.ts'
export { fenceRecalled, markRecalled, nameLine, newBoundary } from './mark-recalled.ts'
export { findKeyLabel, printName, printParty, printSender } from './print-names.ts'
export { nameWriters, printRemoval, printWriters, writersOf, type NamedText, type Writers } from './print-writers.ts'
export type { CallOptions, Method, Reply } from './method.ts'
export { withoutRecalled } from './without-recalled.ts'
export { webhooks, type VerifyOptions, type WebhookHeaders } from './webhooks.ts'
export type * from './generated/events.ts'
export type * from './generated/operations.ts'
