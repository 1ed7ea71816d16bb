/** How a text file is written down, which an edit leaves as it was: its byte order mark and its line ends. */

/** Edits what the file says. `mixed` tells whether its line ends differ, which only edits in place can keep. */
export function editText(text: string, edit: (plain: string, isMixed: boolean) => string): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const bare = text.slice(mark.length)
  const ends = bare.match(/\r?\n/g) ?? []
  const returns = ends.filter((end) => end === '\r\n').length
  const isWindows = returns > 0 && returns === ends.length
  const plain = isWindows ? bare.replaceAll('\r\n', '\n') : bare
  const edited = edit(plain, returns > 0 && !isWindows)
  if (edited === plain) return text
  return mark + (isWindows ? edited.replaceAll('\n', '\r\n') : edited)
}
