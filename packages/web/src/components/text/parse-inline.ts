/** What stands inside a line of Markdown. Text that is no mark of any kind stays as it was written. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'strike'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] }
  /** Images are told of, never loaded: their address would learn who reads this, and when. */
  | { kind: 'image'; alt: string }
  | { kind: 'wiki'; text: string }

type Make = (match: RegExpExecArray, depth: number) => Inline | undefined

const maxDepth = 4

const nested = (kind: 'strong' | 'emphasis' | 'strike'): Make => {
  return ([, inner = ''], depth) => ({ kind, parts: parseInline(inner, depth + 1) })
}

// Sticky, and bounded in length, since the text is anybody's: no text takes longer than some thousand steps a character.
const forms: readonly (readonly [RegExp, Make])[] = [
  [/\\([!-/:-@[-`{-~])/y, ([, mark = '']) => ({ kind: 'text', text: mark })],
  [/(?<!`)(`{1,3})(?!`)([^]{1,1000}?)(?<!`)\1(?!`)/y, ([, , text = '']) => ({ kind: 'code', text })],
  [/!\[([^[\]\n]{0,500})\]\([^()\n]{0,2000}\)/y, ([, alt = '']) => ({ kind: 'image', alt })],
  [
    /!?\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/y,
    ([, to = '', alias]) => ({ kind: 'wiki', text: alias ?? to }),
  ],
  [/\[([^[\]\n]{1,500})\]\(<?([^()\s<>]{1,2000})>?(?: +"[^"\n]{0,300}")?\)/y, makeLink],
  [/\*\*(?=[^\s*])([^]{0,1000}?[^\s*])\*\*(?!\*)/y, nested('strong')],
  [/(?<![\p{L}\p{N}_])__(?=[^\s_])([^]{0,1000}?[^\s_])__(?![\p{L}\p{N}_])/uy, nested('strong')],
  [/\*(?=[^\s*])([^*]{0,1000}?[^\s*])\*(?!\*)/y, nested('emphasis')],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{0,1000}?[^\s_])_(?![\p{L}\p{N}_])/uy, nested('emphasis')],
  [/~~(?=[^\s~])([^~]{0,1000}?[^\s~])~~/y, nested('strike')],
  [
    /https?:\/\/[^\s<>"'`]{0,2000}[^\s<>"'`.,:;!?)\]}*_]/y,
    ([href]) => ({ kind: 'link', href, parts: [{ kind: 'text', text: href }] }),
  ],
]

const mark = /[\\`*_[~]|!\[|https?:\/\//g

export function parseInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = []
  let plainFrom = 0
  let at = 0
  const take = (until: number) => {
    if (until > plainFrom) parts.push({ kind: 'text', text: text.slice(plainFrom, until) })
  }
  for (;;) {
    mark.lastIndex = at
    const next = depth < maxDepth ? mark.exec(text) : null
    if (next === null) break
    const found = readForm(text, next.index, depth)
    if (found === undefined) {
      at = next.index + 1
      continue
    }
    take(next.index)
    parts.push(found.part)
    at = next.index + found.length
    plainFrom = at
  }
  take(text.length)
  return parts
}

function readForm(text: string, at: number, depth: number): { part: Inline; length: number } | undefined {
  for (const [form, make] of forms) {
    form.lastIndex = at
    const match = form.exec(text)
    const part = match === null ? undefined : make(match, depth)
    if (match !== null && part !== undefined) return { part, length: match[0].length }
  }
  return undefined
}

/** Only what opens a page or a letter; another scheme, as `javascript:`, stays text. */
function makeLink([, label = '', href = '']: RegExpExecArray, depth: number): Inline | undefined {
  return /^(?:https?:\/\/|mailto:)/i.test(href)
    ? { kind: 'link', href, parts: parseInline(label, depth + 1) }
    : undefined
}
