import { notesOf, type Conversation } from './conversation.ts'
import { isObject, jsonFiles, objectsIn, textIn, type Item } from './json-file.ts'
import { timeOfSeconds, type Reader } from './reading.ts'
import type { Source } from '../source.ts'

/**
 * A ChatGPT export. Messages form a tree, since questions were asked anew; what is read is the branch that its owner saw last.
 * Messages of the system and of tools, and hidden ones, are left out.
 */

export const chatgpt: Reader = {
  name: 'chatgpt',
  shape: '`conversations.json` (or `conversations-000.json` …) whose entries have `mapping`',
  async recognises(source) {
    for await (const item of itemsIn(source)) return isObject(item.mapping)
    return false
  },
  async *read(source, notices) {
    for await (const item of itemsIn(source))
      if (isObject(item.mapping)) yield* notesOf('chatgpt', 'ChatGPT', conversationOf(item, item.mapping), notices)
      else notices.add('entries without `mapping`, skipped', textIn(item.title) ?? 'an entry')
  },
}

async function* itemsIn(source: Source): AsyncGenerator<Item> {
  for (const file of jsonFiles(source))
    if (/(^|\/)conversations[^/]*\.json$/i.test(file.path)) yield* await objectsIn(file, ['conversations'], () => {})
}

function conversationOf(item: Item, mapping: Item): Conversation {
  const messages = branchOf(mapping, textIn(item.current_node)).map((node) => node.message)
  const said = messages.filter(isObject).flatMap((message) => turnOf(message))
  const createdAt = timeOfSeconds(item.create_time) ?? said.map(({ at }) => at).find((at) => at !== undefined)
  const title = textIn(item.title) ?? 'Untitled conversation'
  return {
    id: textIn(item.conversation_id) ?? textIn(item.id) ?? `${title} ${createdAt ?? ''}`,
    title,
    createdAt,
    updatedAt: timeOfSeconds(item.update_time),
    turns: said,
  }
}

/** From the first message to the last that was shown. Where none is named it is the end of the newest branch. */
function branchOf(mapping: Item, currentNode: string | undefined): Item[] {
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
  const timeOf = ({ message }: Item) =>
    isObject(message) && typeof message.create_time === 'number' ? message.create_time : 0
  return leaves.toSorted(([, one], [, other]) => timeOf(one) - timeOf(other)).at(-1)?.[0]
}

function turnOf({
  author,
  content,
  metadata,
  create_time: time,
}: Item): { who: string; text: string; at: string | undefined }[] {
  const role = isObject(author) ? author.role : undefined
  const isHidden = isObject(metadata) && metadata.is_visually_hidden_from_conversation === true
  if (isHidden || (role !== 'user' && role !== 'assistant') || !isObject(content)) return []
  const text = textOf(content)
  return text === '' ? [] : [{ who: role === 'user' ? 'You' : 'ChatGPT', text, at: timeOfSeconds(time) }]
}

/** What is no text is named: a picture was seen there, too. */
function textOf({ content_type: type, parts, text }: Item): string {
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
