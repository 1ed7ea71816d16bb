/** Names and texts of contracts as Python code has them. */

const maxLineLength = 100

/** Words that Python keeps for itself, and names that all models or methods of the Python client have. */
const reserved = new Set(
  `and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not
  or pass raise return try while with yield None True False self timeout max_retries to_dict response pages`.split(
    /\s+/,
  ),
)

/** `memoryId`: `memory_id`. The client applies the same rule to fields that it doesn't know. */
export function snakeCase(name: string): string {
  const words = name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return reserved.has(words) ? `${words}_` : words
}

/** `relatedMemory`: `RelatedMemory`. */
export const className = (field: string): string => field.charAt(0).toUpperCase() + field.slice(1)

export function printLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`
  if (typeof value === 'object') throw new Error('No contract has an object as its default')
  return JSON.stringify(value)
}

/** Replaces names in a description by those of the Python client: fields, operations and null. */
export function translate(text: string, operations: readonly string[]): string {
  const methods = new RegExp(String.raw`\b(?:${operations.filter((name) => name.includes('-')).join('|')})\b(?!:)`, 'g')
  return text
    .replaceAll(methods, snakeCase)
    .replaceAll(/\b[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+\b/g, snakeCase)
    .replaceAll(/\bnull\b/g, 'None')
}

/** Prints a docstring whose paragraphs are wrapped. Lines that begin with blanks keep them. */
export function printDocstring(paragraphs: readonly string[], indent: string): string {
  // The first line also has the quotes, and may have those at the end.
  const text = paragraphs.map((one, at) => wrap(escapeText(one), indent, at === 0 ? 6 : 0)).join('\n')
  // A quote at the end would close the string too early.
  const end = text.endsWith('"') ? ' ' : ''
  return `${indent}"""${text.trimStart()}${text.includes('\n') ? `\n${indent}` : end}"""`
}

const escapeText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"""', String.raw`\"""`)

function wrap(text: string, indent: string, reservedChars: number): string {
  const own = /^ */.exec(text)?.[0] ?? ''
  const [first = '', ...words] = text.trim().split(/\s+/)
  const lines = [indent + own + first]
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    const length = maxLineLength - (lines.length === 1 ? reservedChars : 0)
    if (last.length + 1 + word.length <= length) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}${own}${own === '' ? '' : '    '}${word}`)
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** How each generated file begins. */
export const head = (what: string) =>
  `# Written by \`npm run generate\` from the registry of operations; do not edit.\n"""${what}"""\n`
