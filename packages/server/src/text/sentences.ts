import { listFences } from '@holdfast/transfer/text/code-regions'

/** The sentences that somebody says in a text: without code blocks, quoted lines, and the signs of lists and headings. Linear. */
export function sentencesOf(text: string): string[] {
  return withoutFences(text)
    .split(/\r?\n/)
    .filter((line) => !/^\s{0,3}>/.test(line))
    .flatMap((line) => line.replace(/^\s*(?:[-*+•]|#{1,6}|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/, '').split(sentenceEnd))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

// A full stop ends a sentence where a capital or number follows; abbreviations that often stand before one do not.
const abbreviations = String.raw`(?<!\b(?:e\.g|i\.e|z\.B|d\.h|p\.ej|vs|etc|approx|bzw|ca|Dr|Mr|Ms|Mrs|St|No|Nr)\.)`
const sentenceEnd = new RegExp(
  `(?<=[.!?]["'”’)]?)${abbreviations}\\s+(?=["'“‘(¿¡\`*]?[\\p{Lu}\\p{N}¿¡\`])|(?<=[。！？])`,
  'u',
)

function withoutFences(text: string): string {
  let rest = ''
  let at = 0
  for (const [start, end] of listFences(text)) {
    rest += text.slice(at, start)
    at = end
  }
  return rest + text.slice(at)
}
