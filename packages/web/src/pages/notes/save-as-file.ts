/** Hands the text to the browser as a file. */
export function saveAsFile(title: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/markdown' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${fileNameOf(title)}.md`
  link.click()
  URL.revokeObjectURL(url)
}

/** Without what some file system takes for something else. */
const fileNameOf = (title: string) =>
  title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .slice(0, 120) || 'note'
