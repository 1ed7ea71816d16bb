import { parse } from 'yaml'

export interface FrontMatter {
  /** Empty where there is none. */
  fields: Record<string, unknown>
  /** What is between the `---`, as it was written; undefined where there is none. */
  block: string | undefined
  body: string
  /** Whether there is a block that is no YAML; it then stays in the body. */
  isBroken: boolean
}

/** At most this long: aliases of YAML are not followed, but still. */
const maxBlockChars = 65_536

/** Splits what stands between two lines `---` at the beginning from the text after them. */
export function splitFrontMatter(text: string): FrontMatter {
  const none = { fields: {}, block: undefined, body: text, isBroken: false }
  const found = /^\uFEFF?---[ \t]*\r?\n([^]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/my.exec(text)
  if (found === null) return none
  const block = found[1] ?? ''
  if (block.length > maxBlockChars) return { ...none, isBroken: true }
  const fields = parseFields(block)
  return fields === undefined
    ? { ...none, isBroken: true }
    : { fields, block, body: text.slice(found[0].length), isBroken: false }
}

function parseFields(block: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(block, { maxAliasCount: 0, logLevel: 'error' })
    if (value === null || value === undefined) return {}
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** `[a, b]`, `a, b` and `a b` alike. */
export function listIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter(isText).map(String)
  if (!isText(value)) return []
  return String(value)
    .split(/[,\s]+/)
    .filter((word) => word !== '')
}

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
