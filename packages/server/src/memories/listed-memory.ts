import { z } from 'zod'
import { previewOf } from '../text/excerpts.ts'
import { titleOf } from './memory-title.ts'
import { describeMemory, exampleMemory, memoryRecord, type Memory } from './memory.ts'

/** A memory as lists show it: all but its text, of which there is the beginning. */

export const listedMemory = memoryRecord
  .omit({ content: true, metadata: true, relatedMemories: true })
  .extend({
    title: z.string().describe('Its summary or first line, at most 200 characters.'),
    preview: z.string().describe('How its content begins, in one line of at most 200 characters.'),
  })
  .meta({ id: 'ListedMemory' })

export function describeListed(memory: Memory): z.input<typeof listedMemory> {
  const { content: _content, metadata: _metadata, relatedMemories: _related, ...record } = describeMemory(memory, [])
  return { ...record, title: titleOf(memory), preview: previewOf(memory.content) }
}

const { content, metadata: _none, relatedMemories: _noneEither, ...exampleRest } = exampleMemory
export const exampleListed = { ...exampleRest, title: content, preview: content }
