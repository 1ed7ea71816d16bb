import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { operationsPage, pathBetween } from './pages.ts'

export interface Place {
  root: string
  /** The page's path in the repository, and in the site. */
  source: string
  target: string
  pages: ReadonlyMap<string, string>
}

/** Pictures belong to the site as well. The server has the OpenAPI document at another place. */
const isPublic = (path: string) => path.startsWith('docs/images/')

/**
 * Makes the links of a page in the repository those of the site. A link to a file that isn't in the site, such as source code, becomes its
 * text. Throws for a link to a missing file.
 */
export const rewriteLinks = (markdown: string, place: Place): string =>
  markdown
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, at) => (at % 2 === 0 ? rewriteText(part, place) : part))
    .join('')

/** A link whose text may contain code, or else code, which may look like a link. */
const linkOrCode = /(!?)\[((?:`[^`\n]*`|[^[\]`]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)|`[^`\n]+`/g

const rewriteText = (text: string, place: Place): string =>
  text.replaceAll(linkOrCode, (whole, ...parts: (string | undefined)[]) => {
    const [mark = '', label, path = '', anchor = ''] = parts
    if (label === undefined) return whole
    const target = findTarget(path, anchor, place)
    return target === undefined ? label : `${mark}[${label}](${target})`
  })

function findTarget(path: string, anchor: string, { root, source, target, pages }: Place): string | undefined {
  const linked = posix.normalize(posix.join(posix.dirname(source), path))
  if (!existsSync(join(root, linked))) throw new Error(`${source} links to ${path}, which does not exist`)
  if (linked === operationsPage && anchor !== '') return pathBetween(target, operationTarget(anchor)) + hashOf(anchor)
  const page = pages.get(linked.endsWith('.md') ? linked : posix.join(linked, 'README.md'))
  if (page !== undefined) return pathBetween(target, page) + anchor
  return isPublic(linked) ? pathBetween(target, linked.slice('docs/'.length)) : undefined
}

/** The page of an operation or a record, by its anchor in the page of all operations. */
function operationTarget(anchor: string): string {
  const name = anchor.slice(1)
  if (name.startsWith('record-')) return 'api/records.md'
  return groups.has(name) ? 'api/operations.md' : `api/${name}.md`
}

const groups = new Set(['errors', 'records', 'for-agents', 'for-people', 'for-operators', 'for-anyone'])

/** An operation's page needs no anchor. */
const hashOf = (anchor: string) => (operationTarget(anchor).endsWith(`/${anchor.slice(1)}.md`) ? '' : anchor)
