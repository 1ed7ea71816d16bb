import { nameWords } from '../text/tokenize.ts'
import { everydayWords } from '../text/everyday-words.ts'
import { fields, type Field } from './field-search.ts'
import type { WordTags } from './index-record.ts'
import type { SlotTest } from './live.ts'
import { tagWords } from './parts/tag-table.ts'
import { termMask } from './parts/words.ts'
import type { VaultIndex } from './vault-index.ts'

/** Finds the items that contain a name as a phrase. Unlike mentions, which rank, it misses none. */

/** Where a name is looked for. On its own an everyday word in a text is no name: "go" is rarely the language. */
export function fieldsFor(name: string): readonly Field[] {
  const [first = '', ...others] = nameWords(name)
  return others.length === 0 && everydayWords.has(first) ? ['title', 'tags'] : fields
}

/** Tests whether an item has the words of a name next to each other. False for all items if the name has no words. */
export function phraseTest(index: VaultIndex, name: string, keyed: WordTags): SlotTest {
  const { words } = index.parts
  const tags = tagWords(keyed(nameWords(name)))
  const terms = Array.from({ length: tags.length / 2 }, (_, at) => words.terms.find(tags, at * 2))
  if (terms.length === 0 || terms.includes(-1)) return () => false
  const termAt = (at: number) => (words.sequence[at] as number) & termMask
  return (slot) => {
    const last = (words.ends[slot] as number) - terms.length
    for (let at = words.startOf(slot) + (words.speakerLengths[slot] as number); at <= last; at++)
      if (terms.every((term, place) => termAt(at + place) === term)) return true
    return false
  }
}
