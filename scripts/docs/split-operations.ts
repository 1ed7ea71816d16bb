/**
 * Splits the page of all operations: its introduction, a page per operation, and one of all records. By their paths in the site.
 * Operations and records link to each other by anchors, which become links between pages.
 */
export function splitOperations(markdown: string): ReadonlyMap<string, string> {
  const [beforeRecords = '', records = ''] = markdown.split(/^## Records$/m)
  const [introduction = '', ...groups] = beforeRecords.split(/^(?=## For )/m)
  const pages = new Map<string, string>()
  for (const group of groups) {
    const [opening = '', ...operations] = group.split(/^(?=### )/m)
    const credential = opening
      .replace(/^## (.+)$/m, '$1:')
      .trim()
      .replaceAll(/\s+/g, ' ')
    for (const operation of operations) {
      const name = /^### (.+)$/m.exec(operation)?.[1]
      if (name === undefined) throw new Error('An operation has no name')
      const text = operation.replace(/^### .+$/m, `# ${name}\n\n${credential}`)
      pages.set(`api/${freeName(name, pages)}.md`, wide(text.replaceAll('](#record-', '](./records.md#record-')))
    }
  }
  pages.set('api/operations.md', wide(linkContents(introduction)))
  pages.set('api/records.md', wide(`# Records\n\nTypes that several operations return.\n\n${deepen(records)}`))
  return pages
}

/** An operation that agents and people call has a page for each, like its ids in the OpenAPI document. */
const freeName = (name: string, pages: ReadonlyMap<string, string>) =>
  pages.has(`api/${name}.md`) ? `person-${name}` : name

/** The list of contents names agents' operations first, too. */
function linkContents(introduction: string): string {
  const seen = new Map<string, string>()
  return introduction.replaceAll(/\]\(#([a-z-]+)\)/g, (_, name: string) => {
    const page = freeName(name, seen)
    seen.set(`api/${page}.md`, name)
    return `](./${page}.md)`
  })
}

/** For tables of fields: without the list of headings, of which these pages have none. */
const wide = (markdown: string) => `---\naside: false\npageClass: wide\n---\n\n${markdown}`

const deepen = (records: string) => records.replaceAll(/^### /gm, '## ')
