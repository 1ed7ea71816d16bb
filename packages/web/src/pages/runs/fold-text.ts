const maxChars = 600
const maxLines = 8
/** A fold that hides less than this saves no room. */
const leastHidden = 120

/** The beginning of a long text, up to the end of a word where one is near; a short one as it is. */
export function foldText(text: string): string {
  const end = endOfLines(text)
  if (end === text.length && text.length <= maxChars + leastHidden) return text
  const cut = text.slice(0, Math.min(end, maxChars)).replace(/[\ud800-\udbff]$/, '')
  if (cut.length < maxChars) return cut.trimEnd()
  const atWord = cut.lastIndexOf(' ')
  return cut.slice(0, atWord > maxChars - 80 ? atWord : cut.length).trimEnd()
}

/** Where the last line ends that is shown; a line or two more are not worth a fold. */
function endOfLines(text: string): number {
  let at = -1
  for (let line = 0; line < maxLines; line++) {
    at = text.indexOf('\n', at + 1)
    if (at === -1) return text.length
  }
  const rest = text.slice(at).trim()
  return rest.length < leastHidden && rest.split('\n').length < 3 ? text.length : at
}
