import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { memoryIdIn, readWikiTarget, type WikiTarget } from './wiki-target.ts'

export type LinkTarget =
  | ({ kind: 'note' } & WikiTarget)
  | { kind: 'memory'; id: string }
  | { kind: 'page'; href: string }
  | { kind: 'tag'; tag: string }

/** The target of the link at a position in the text. */
export function linkAt(state: EditorState, at: number): LinkTarget | undefined {
  for (const side of [-1, 1] as const) {
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side)
    for (; node !== null; node = node.parent) {
      const target = targetOf(state, node)
      if (target !== undefined) return target
    }
  }
  return undefined
}

function targetOf(state: EditorState, node: SyntaxNode): LinkTarget | undefined {
  const text = state.sliceDoc(node.from, node.to)
  switch (node.name) {
    case 'WikiLink':
      return namedBy(readWikiTarget(text.slice(2, -2)))
    case 'HashTag':
      return { kind: 'tag', tag: text.slice(1) }
    case 'Link':
    case 'Autolink': {
      const url = node.getChild('URL')
      return url === null ? undefined : pageAt(state.sliceDoc(url.from, url.to))
    }
    case 'URL':
      return node.parent?.name === 'Image' ? undefined : pageAt(text)
    default:
      return undefined
  }
}

function namedBy(target: WikiTarget): LinkTarget {
  const id = memoryIdIn(target.title)
  return id === undefined ? { kind: 'note', ...target } : { kind: 'memory', id }
}

/** Follows only web and mail links, never other schemes such as `javascript:`. */
const pageAt = (href: string): LinkTarget | undefined =>
  /^(?:https?:\/\/|mailto:)\S/i.test(href) ? { kind: 'page', href } : undefined
