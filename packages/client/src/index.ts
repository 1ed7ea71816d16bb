export { createClient, type Client, type ClientOptions } from './create-client.ts'
export { HoldfastError } from './errors.ts'
export type { CallOptions } from './request.ts'
export type * from './generated/operations.ts'
