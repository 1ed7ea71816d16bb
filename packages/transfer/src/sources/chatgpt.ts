import { toNotes, type Conversation } from './conversation.ts'
import { isObject, jsonFiles, objectsIn, textIn, type Item } from './json-file.ts'
import { filterFiles, timeFromSeconds, type Reader } from './reading.ts'
import type { Source, SourceFile } from '../source.ts'

/**
 * A ChatGPT export. Messages form a tree, because users edit questions. This reads the branch that was shown last, without
 * messages of the system and of tools, and without hidden ones.
 */

export const chatgpt: Reader = {
  name: 'chatgpt',
  shape: '`conversations.json` (or `conversations-000.json` …) whose entries have `mapping`',
  async claim(source) {
    const found = await filterFiles(conversationFiles(source), async (file) =>
      isObject((await conversationsIn(file))[0]?.mapping),
    )
    return found.length === 0 ? [] : [...found, ...source.files.filter(({ path }) => isCompanion(path))]
  },
  async *read(source, notices) {
    for (const { path } of source.files)
      if (isCompanion(path)) notices.add('files without conversations, not imported', path)
    for await (const item of itemsIn(source))
      if (isObject(item.mapping)) yield* toNotes('chatgpt', 'ChatGPT', toConversation(item, item.mapping), notices)
      else notices.add('entries without `mapping`, skipped', textIn(item.title) ?? 'an entry')
  },
}

const conversationFiles = (source: Source) =>
  jsonFiles(source).filter(({ path }) => /(^|\/)conversations[^/]*\.json$/i.test(path))

const conversationsIn = (file: SourceFile): Promise<Item[]> => objectsIn(file, ['conversations'], () => {})

async function* itemsIn(source: Source): AsyncGenerator<Item> {
  for (const file of conversationFiles(source)) yield* await conversationsIn(file)
}

/** The other files of an export. Some of them look like memories of other programs. */
const isCompanion = (path: string) =>
  /(^|\/)(chat\.html|(user|message_feedback|model_comparisons|shared_conversations|group_chats|user_settings)\.json)$/i.test(
    path,
  )

function toConversation(item: Item, mapping: Item): Conversation {
  const messages = findBranch(mapping, textIn(item.current_node)).map((node) => node.message)
  const said = messages.filter(isObject).flatMap((message) => toTurns(message))
  const createdAt = timeFromSeconds(item.create_time) ?? said.map(({ at }) => at).find((at) => at !== undefined)
  const title = textIn(item.title) ?? 'Untitled conversation'
  return {
    id: textIn(item.conversation_id) ?? textIn(item.id) ?? `${title} ${createdAt ?? ''}`,
    title,
    createdAt,
    updatedAt: timeFromSeconds(item.update_time),
    turns: said,
  }
}

/** Finds the branch from the first message to the last one shown, or to the newest leaf if none is given. */
function findBranch(mapping: Item, currentNode: string | undefined): Item[] {
  const nodes = new Map(Object.entries(mapping).flatMap(([id, node]) => (isObject(node) ? [[id, node]] : [])))
  const branch: Item[] = []
  const seen = new Set<string>()
  for (
    let id = currentNode !== undefined && nodes.has(currentNode) ? currentNode : lastLeaf(nodes);
    id !== undefined;
  ) {
    const node = nodes.get(id)
    if (node === undefined || seen.has(id)) break
    seen.add(id)
    branch.push(node)
    id = textIn(node.parent)
  }
  return branch.toReversed()
}

function lastLeaf(nodes: ReadonlyMap<string, Item>): string | undefined {
  const leaves = [...nodes].filter(([, { children }]) => !Array.isArray(children) || children.length === 0)
  const readTime = ({ message }: Item) =>
    isObject(message) && typeof message.create_time === 'number' ? message.create_time : 0
  return leaves.toSorted(([, one], [, other]) => readTime(one) - readTime(other)).at(-1)?.[0]
}

function toTurns({
  author,
  content,
  metadata,
  create_time: time,
}: Item): { who: string; text: string; at: string | undefined }[] {
  const role = isObject(author) ? author.role : undefined
  const isHidden = isObject(metadata) && metadata.is_visually_hidden_from_conversation === true
  if (isHidden || (role !== 'user' && role !== 'assistant') || !isObject(content)) return []
  const text = readContent(content)
  return text === '' ? [] : [{ who: role === 'user' ? 'You' : 'ChatGPT', text, at: timeFromSeconds(time) }]
}

/** Reads the text of a message. Other parts, such as images, become a placeholder. */
function readContent({ content_type: type, parts, text }: Item): string {
  if (type === 'code' || type === 'thoughts' || type === 'reasoning_recap' || type === 'user_editable_context')
    return ''
  if (!Array.isArray(parts)) return textIn(text) ?? ''
  return parts
    .flatMap((part: unknown) => {
      if (typeof part === 'string') return part.trim() === '' ? [] : [part]
      if (!isObject(part)) return []
      const spoken = textIn(part.text)
      return [spoken ?? `[${(textIn(part.content_type) ?? 'attachment').replaceAll('_', ' ')}]`]
    })
    .join('\n\n')
}
