/** Some browsers read what is downloaded only a while after the click. */
const keptMs = 60_000

/** Hands something to the browser, as a file that is downloaded. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
