import { parse } from 'yaml'

export interface FrontMatter {
  /** Empty if there is no front matter. */
  fields: Record<string, unknown>
  /** The text between the `---`, unchanged. Undefined if there is none. */
  block: string | undefined
  body: string
  /** Whether there is a block with invalid YAML, which then stays in the body. */
  isBroken: boolean
}

/** Maximum length of a block, as a precaution. YAML aliases are not expanded. */
const maxBlockChars = 65_536

/** Splits the block between two `---` lines at the start from the rest of the text. */
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

/** Accepts `[a, b]`, `a, b` and `a b`. */
export function listIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter(isText).map(String)
  if (!isText(value)) return []
  return String(value)
    .split(/[,\s]+/)
    .filter((word) => word !== '')
}

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
