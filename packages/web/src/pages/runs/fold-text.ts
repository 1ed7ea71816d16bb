const maxChars = 600
const maxLines = 8
/** Folding fewer characters than this isn't worth it. */
const minHidden = 120

/** Shortens a long text, at the end of a word if there is one nearby. Returns a short text unchanged. */
export const foldText = (text: string): string => withoutOpening(text, cutText(text))

/** Without a last line that only leads to what is hidden, such as `Still to do:`. */
function withoutOpening(text: string, cut: string): string {
  if (cut === text || !cut.endsWith(':')) return cut
  return cut.slice(0, Math.max(0, cut.lastIndexOf('\n'))).trimEnd() || cut
}

function cutText(text: string): string {
  const end = endOfLines(text)
  if (end === text.length && text.length <= maxChars + minHidden) return text
  const cut = text.slice(0, Math.min(end, maxChars)).replace(/[\ud800-\udbff]$/, '')
  if (cut.length < maxChars) return cut.trimEnd()
  const atWord = cut.lastIndexOf(' ')
  return cut.slice(0, atWord > maxChars - 80 ? atWord : cut.length).trimEnd()
}

/** Where the last shown line ends. One or two more lines aren't worth folding. */
function endOfLines(text: string): number {
  let at = -1
  for (let line = 0; line < maxLines; line++) {
    at = text.indexOf('\n', at + 1)
    if (at === -1) return text.length
  }
  const rest = text.slice(at).trim()
  return rest.length < minHidden && rest.split('\n').length < 3 ? text.length : at
}
