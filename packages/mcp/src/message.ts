import { displayName } from './render/one-line.ts'

/** What can be read from a message of the protocol before the SDK checks it. Imports nothing of the SDK. */

/** Reads the client's name from a request of the later era, shortened. Empty if the request has no name. */
export function readClientName(body: unknown): string {
  const { name } = asRecord(asRecord(asRecord(asRecord(body)['params'])['_meta'])['io.modelcontextprotocol/clientInfo'])
  return typeof name === 'string' ? displayName(name, 100) : ''
}

/** A request whose answer is a stream that stays open until one side ends it. */
export const listenMethod = 'subscriptions/listen'

/** Limits of a message without the arguments of a tool or prompt: names and items, and characters. */
const limits = { items: 1_000, chars: 65_536 }
const maxArguments = 1_000

/**
 * Describes what exceeds the limits of a message, or returns undefined. The SDK's checks would report every part before the
 * request is counted. This check reads no more than the limits.
 */
export function findExcess(body: unknown): string | undefined {
  const { method, params, ...others } = asRecord(body)
  const { arguments: args, ...around } = asRecord(params)
  const hasArguments = method === 'tools/call' || method === 'prompts/get'
  const own = hasArguments ? [others, method, around] : [others, method, params]
  if (!isSmall(own))
    return `the message has more than ${limits.items} names and items, or ${limits.chars} characters, outside its arguments`
  const { length } = Object.keys(asRecord(hasArguments ? args : undefined))
  return length > maxArguments ? `arguments: must be at most ${maxArguments}` : undefined
}

function isSmall(value: unknown): boolean {
  const open = [value]
  let { items, chars } = limits
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') chars -= one.length
    else if (typeof one === 'object' && one !== null) {
      const names = Array.isArray(one) ? undefined : Object.keys(one)
      items -= names?.length ?? (one as unknown[]).length
      for (const name of names ?? []) chars -= name.length
      if (items >= 0) for (const inner of Object.values(one)) open.push(inner)
    }
    if (items < 0 || chars < 0) return false
  }
  return true
}

/**
 * Whether a request of this kind calls operations, which are counted themselves. No for one with fields that the SDK would reject without
 * asking a handler.
 */
export function callsOperations(body: unknown): boolean {
  const { id, method, params } = asRecord(body)
  if (id === undefined || typeof method !== 'string') return false
  const { _meta, ...given } = asRecord(params)
  return isValid.get(method)?.(given) ?? false
}

type Check = (params: Record<string, unknown>) => boolean

const isValid: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['tools/call', ({ name, arguments: _args, ...others }) => typeof name === 'string' && isEmpty(others)],
  [
    'prompts/get',
    ({ name, arguments: args, ...others }) => typeof name === 'string' && isTexts(args ?? {}) && isEmpty(others),
  ],
  ['resources/list', ({ cursor = '', ...others }) => typeof cursor === 'string' && isEmpty(others)],
  ['resources/read', ({ uri, ...others }) => typeof uri === 'string' && isEmpty(others)],
  ['completion/complete', isCompletion],
])

function isCompletion({ ref, argument, context = {}, ...others }: Record<string, unknown>): boolean {
  const { type, name, uri } = asRecord(ref)
  const typed = asRecord(argument)
  const isKnown =
    (type === 'ref/prompt' && typeof name === 'string') || (type === 'ref/resource' && typeof uri === 'string')
  const isTyped = typeof typed['name'] === 'string' && typeof typed['value'] === 'string'
  return isKnown && isTyped && isRecord(context) && isTexts(context['arguments'] ?? {}) && isEmpty(others)
}

const isEmpty = (record: object) => Object.keys(record).length === 0

const isTexts = (value: unknown) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Empty if it is anything else. */
export const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
