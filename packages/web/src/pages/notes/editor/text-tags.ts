import { isReadable } from '../../../components/text/is-readable.ts'
import { noteParser } from '../../../components/text/wiki-syntax.ts'
import { titleKey } from './wiki-target.ts'

/** The `#tags` in a text, outside code. Leaves out the one that ends at `typedAt`, because it may not be complete. */
export function listTextTags(text: string, typedAt?: number): string[] {
  const found = new Map<string, string>()
  if (!text.includes('#') || !isReadable(text)) return []
  noteParser.parse(text).iterate({
    enter({ name, from, to }) {
      if (name !== 'HashTag' || to === typedAt) return
      const tag = text.slice(from + 1, to)
      if (!found.has(titleKey(tag))) found.set(titleKey(tag), tag)
    },
  })
  return [...found.values()]
}

/** The note's tags after a change of its text: adds the tags that appeared in it, and removes those that disappeared. */
export function followTags(tags: readonly string[], before: readonly string[], after: readonly string[]): string[] {
  const [was, is] = [new Set(before.map(titleKey)), new Set(after.map(titleKey))]
  const kept = tags.filter((tag) => !was.has(titleKey(tag)) || is.has(titleKey(tag)))
  const has = new Set(kept.map(titleKey))
  return [...kept, ...after.filter((tag) => !was.has(titleKey(tag)) && !has.has(titleKey(tag)))].slice(0, maxTags)
}

const maxTags = 50
