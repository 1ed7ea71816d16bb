import { toNotes, type Conversation } from './conversation.ts'
import { isObject, jsonFiles, objectsIn, textIn, type Item } from './json-file.ts'
import { filterFiles, timeIn, type Reader } from './reading.ts'
import type { Source, SourceFile } from '../source.ts'

/** A Claude export: a list of messages, each with a text or with blocks. Only text blocks are read. */

export const claude: Reader = {
  name: 'claude',
  shape: '`conversations.json` whose entries have `chat_messages`',
  async claim(source) {
    const found = await filterFiles(conversationFiles(source), async (file) =>
      Array.isArray((await conversationsIn(file))[0]?.chat_messages),
    )
    return found.length === 0 ? [] : [...found, ...source.files.filter(({ path }) => isCompanion(path))]
  },
  async *read(source, notices) {
    for (const { path } of source.files)
      if (!hasConversations(path)) notices.add('files without conversations, not imported', path)
    for await (const item of itemsIn(source))
      if (Array.isArray(item.chat_messages))
        yield* toNotes('claude', 'Claude', toConversation(item, item.chat_messages), notices)
      else notices.add('entries without `chat_messages`, skipped', textIn(item.name) ?? 'an entry')
  },
}

const hasConversations = (path: string) => /(^|\/)conversations[^/]*\.jsonl?$/i.test(path)

/** The other files of an export. Some of them look like memories of other programs. */
const isCompanion = (path: string) => /(^|\/)(users|projects|memories)\.json$/i.test(path)

const conversationFiles = (source: Source) => jsonFiles(source).filter(({ path }) => hasConversations(path))

const conversationsIn = (file: SourceFile): Promise<Item[]> => objectsIn(file, ['conversations'], () => {})

async function* itemsIn(source: Source): AsyncGenerator<Item> {
  for (const file of conversationFiles(source)) yield* await conversationsIn(file)
}

function toConversation(item: Item, messages: readonly unknown[]): Conversation {
  const turns = messages.filter(isObject).flatMap((message) => {
    const text = [...listTexts(message), ...listAttachments(message)].join('\n\n')
    return text === '' ? [] : [{ who: message.sender === 'human' ? 'You' : 'Claude', text }]
  })
  const title = textIn(item.name) ?? 'Untitled conversation'
  const createdAt = timeIn(item.created_at)
  return {
    id: textIn(item.uuid) ?? `${title} ${createdAt ?? ''}`,
    title,
    createdAt,
    updatedAt: timeIn(item.updated_at),
    turns,
  }
}

/** Blocks contain the same as `text`; older exports have only `text`. */
function listTexts({ content, text }: Item): string[] {
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  const texts = blocks.flatMap((block) => (block.type === 'text' ? (textIn(block.text) ?? []) : []))
  return texts.length > 0 ? texts : [textIn(text) ?? []].flat()
}

const listAttachments = ({ attachments, files }: Item): string[] =>
  [attachments, files].flatMap((list) =>
    Array.isArray(list)
      ? list
          .filter(isObject)
          .flatMap((file) => (textIn(file.file_name) === undefined ? [] : [`[${String(file.file_name)}]`]))
      : [],
  )
