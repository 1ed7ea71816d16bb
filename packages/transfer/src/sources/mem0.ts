import type { Json, RecordOf } from '../record.ts'
import { listIn, splitFrontMatter } from './front-matter.ts'
import { isObject, jsonFiles, objectsIn, textIn, type Item } from './json-file.ts'
import { filterFiles, makeWriteId, maxContentChars, timeIn, type Notices, type Reader } from './reading.ts'
import { isInPackage, readText, type SourceFile } from '../source.ts'

/** Memories of mem0: JSON from its library or platform, or Markdown files with front matter. */

export const mem0: Reader = {
  name: 'mem0',
  shape:
    'JSON with `memory`, `text` or `content` in each entry (a list, or in `results`), or markdown with `user_id` in front matter',
  async claim({ files }) {
    return filterFiles(files, async (file) => {
      const [first] = await itemsIn(file, () => {})
      return first !== undefined && isMemory(first)
    })
  },
  async *read({ files }, notices) {
    for (const file of files)
      for (const item of await itemsIn(file, (where) => notices.add('damaged lines, skipped', where))) {
        const memory = toMemory(item, notices)
        if (memory !== undefined) yield memory
      }
  },
}

const owners = ['user_id', 'agent_id', 'run_id', 'app_id', 'actor_id'] as const

async function itemsIn(file: SourceFile, damaged: (where: string) => void): Promise<Item[]> {
  if (jsonFiles({ files: [file] }).length > 0) return objectsIn(file, ['results', 'memories', 'data'], damaged)
  if (!/\.md$/i.test(file.path) || isInPackage(file.path)) return []
  const { fields, body } = splitFrontMatter(await readText(file))
  return owners.some((name) => name in fields) ? [{ ...fields, memory: body.trim() }] : []
}

const getContent = (item: Item): string | undefined =>
  textIn(item.memory) ?? textIn(item.text) ?? textIn(item.content) ?? textIn(item.data)

const isMemory = (item: Item): boolean =>
  getContent(item) !== undefined &&
  [...owners, 'categories', 'hash', 'created_at'].some((name) => name in item) &&
  !('chat_messages' in item)

const maxEntities = 100
const maxEntityChars = 200

function toMemory(item: Item, notices: Notices): RecordOf<'memory'> | undefined {
  const content = getContent(item)
  const where = textIn(item.id) ?? content?.slice(0, 40) ?? 'an entry'
  if (content === undefined) notices.add('entries without text, skipped', where)
  else if (content.length > maxContentChars)
    notices.add(`memories of more than ${maxContentChars} characters, not imported`, where)
  if (content === undefined || content.length > maxContentChars) return undefined
  const own = isObject(item.metadata) ? item.metadata : {}
  const metadata = Object.entries({ ...pick(item, owners), ...own })
  // The platform returns categories next to the text, the library within the metadata.
  const categories = new Set([...listIn(item.categories), ...listIn(own.categories)])
  const createdAt = timeIn(item.created_at)
  return {
    kind: 'memory',
    externalWriteId: makeWriteId('mem0', textIn(item.id) ?? content),
    content,
    memoryType: 'fact',
    entities: [...categories].map((name) => name.slice(0, maxEntityChars)).slice(0, maxEntities),
    metadata: Object.fromEntries(metadata.filter(([, value]) => value !== undefined && value !== null)) as Record<
      string,
      Json
    >,
    createdAt,
    updatedAt: timeIn(item.updated_at) ?? createdAt,
  }
}

const pick = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name]]] : [])))
