import { parseInline, type Inline } from './parse-inline.ts'

/** How a stored text reads in one line, without the marks of its Markdown. */
export const plainText = (text: string): string => parseInline(text.replaceAll(/\s+/g, ' ').trim()).map(textOf).join('')

function textOf(part: Inline): string {
  if (part.kind === 'image') return part.alt
  return 'parts' in part ? part.parts.map(textOf).join('') : part.text
}
