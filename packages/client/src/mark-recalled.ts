/**
 * Sets text that came out of the memory between the marks by which the service knows not to remember it once more, and a
 * model where data begins and ends. Marks in the text itself lose their bracket: stored text cannot end the part early.
 */
export function markRecalled(text: string, vault?: string): string {
  const name = vault === undefined ? '' : ` vault="${plain(vault).replaceAll(/["<>\r\n]/g, "'")}"`
  return `<holdfast-recall${name}>\n${plain(text)}\n</holdfast-recall>`
}

const plain = (text: string) => text.replaceAll(/<(?=\s*\/?\s*holdfast-recall)/gi, '‹')
