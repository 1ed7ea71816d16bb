import { invalid } from './errors.ts'

const maxDepth = 32

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/**
 * Parses a request body. Throws a 400 that says what is wrong for: invalid UTF-8 or JSON, nesting deeper than 32, more
 * commas than `maxCommas` (a limit on the number of items), and lone surrogates, which UTF-8 would store as U+FFFD. The
 * parser's own message is dropped, because it quotes the input.
 */
export function parseJson(bytes: Uint8Array, maxCommas = Infinity): JsonValue {
  const text = decodeUtf8(bytes)
  refuseExcess(text, maxCommas)
  const value = parse(text)
  if (mayHoldLoneSurrogate.test(text)) refuseLoneSurrogates(value, '')
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid({ '': 'the body is not valid UTF-8' })
  }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    throw invalid({ '': 'the body is not valid JSON' })
  }
}

/** Counts in the text before parsing: a recursive walk would overflow the stack on 200,000 brackets, which JSON.parse accepts. */
function refuseExcess(text: string, maxCommas: number): void {
  let depth = 0
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = findStringEnd(text, at + 1)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw invalid({ '': `the body is nested deeper than ${maxDepth} levels` })
    } else if (code === 0x7d || code === 0x5d) depth--
    else if (code === 0x2c && ++commas > maxCommas)
      throw invalid({ '': `the body contains more than ${maxCommas} items` })
  }
}

/** The place of the quote that ends a string. Searching for quotes takes a tenth of the time of looking at each character. */
function findStringEnd(text: string, start: number): number {
  for (let from = start; ;) {
    const end = text.indexOf('"', from)
    if (end === -1) return text.length
    let backslashes = 0
    while (end - backslashes > from && text.charCodeAt(end - backslashes - 1) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
    from = end + 1
  }
}

// Valid UTF-8 contains no surrogates, so a lone one can only come from an escape.
const mayHoldLoneSurrogate = /\\u[dD][89a-fA-F]/

function refuseLoneSurrogates(value: JsonValue, path: string): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw invalid({ [path]: 'not well-formed Unicode (lone surrogate)' })
  } else if (Array.isArray(value)) {
    value.forEach((item, at) => refuseLoneSurrogates(item, join(path, String(at))))
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (!key.isWellFormed()) throw invalid({ [path]: 'a key is not well-formed Unicode (lone surrogate)' })
      refuseLoneSurrogates(item, join(path, key))
    }
  }
}

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

type JsonObject = Record<string, JsonValue>

/** RFC 7396: objects are merged, null deletes a key, everything else replaces. The result has no prototype, so no key is special. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null) as JsonObject, target)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = isObject(value) ? mergePatch(isObject(merged[key]) ? merged[key] : {}, value) : value
  }
  return merged
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
