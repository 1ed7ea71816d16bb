import { CommandError, exitCodes } from './exit-codes.ts'
import { editText } from './rewrite-file.ts'

const begin = '<!-- holdfast:begin -->'
const end = '<!-- holdfast:end -->'

/**
 * Replaces the block, or appends it if there is none yet. An empty block removes it. Throws a CommandError unless the marks
 * occur exactly once or not at all: text between other marks could be the user's.
 */
export function withAgentsBlock(text: string, block: string): string {
  return editText(text, (plain) => {
    const place = findBlock(plain)
    if (place === undefined && block === '') return plain
    const [before, after] =
      place === undefined ? [plain.trimEnd(), ''] : [plain.slice(0, place.from), plain.slice(place.to)]
    const head = before.replace(/\n+$/, '')
    const tail = after.replace(/^\n/, '')
    if (block === '')
      return (
        [head, tail].filter((part) => part.trim() !== '').join('\n') + (head !== '' && tail.trim() === '' ? '\n' : '')
      )
    return `${head === '' ? '' : `${head}\n\n`}${block}\n${tail}`
  })
}

/** The block with its marks, or an empty text. */
export function agentsBlockIn(text: string): string {
  const place = findBlock(text)
  return place === undefined ? '' : text.slice(place.from, place.to).replaceAll('\r\n', '\n')
}

function findBlock(text: string): { from: number; to: number } | undefined {
  const [begins, ends] = [text.split(begin).length - 1, text.split(end).length - 1]
  if (begins === 0 && ends === 0) return undefined
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (begins === 1 && ends === 1 && from < to) return { from, to: to + end.length }
  throw new CommandError(
    exitCodes.failure,
    `AGENTS.md must contain ${begin} and ${end} once each, in this order, or neither. It was not changed.`,
    'Remove the extra marks, or add the missing one.',
  )
}
