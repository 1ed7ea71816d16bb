import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findFolderFamily, hasOutput, isModelFolder, readJson } from './model-folder.ts'
import type { Family, Prefixes } from './model-families.ts'
import { choosePrefixes, type ModelUse, type UseSettings } from './model-use.ts'
import type { Pooling } from './pooling.ts'

/** How to use the model in a folder, according to its files. Without them, its family and then mean pooling are assumed. */
export function readFolderUse(folder: string, settings: UseSettings): ModelUse {
  const family = findFolderFamily(folder)
  return {
    ...choosePrefixes(settings.prefixes, readPrompts(folder), family),
    pooling: readPooling(folder, family),
    dims: settings.dims,
  }
}

/** Why the folder can't be used: files are missing or can't be read, or it wants a pooling that pooling.ts doesn't know. */
export function findFault(folder: string, pooling: ModelUse['pooling']): 'model_folder' | 'model_pooling' | undefined {
  if (!isModelFolder(folder)) return 'model_folder'
  return pooling === undefined ? 'model_pooling' : undefined
}

/** The names of sentence-transformers for the poolings that we know. */
const ways: ReadonlyMap<string, Pooling> = new Map([
  ['mean', 'mean'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['cls', 'first'],
  ['pooling_mode_cls_token', 'first'],
  ['lasttoken', 'last'],
  ['pooling_mode_lasttoken', 'last'],
])

/** Undefined if the folder's description names another pooling, or several. */
function readPooling(folder: string, family: Family | undefined): ModelUse['pooling'] {
  if (hasOutput(folder, 'sentence_embedding')) return { way: 'model', source: 'folder' }
  const path = join(folder, '1_Pooling/config.json')
  if (!existsSync(path))
    return { way: family?.pooling ?? 'mean', source: family === undefined ? undefined : { card: family.card } }
  // Either a flag for each mode, or the name of one.
  const modes = Object.entries(readJson(path) ?? {}).flatMap(([key, value]) => {
    if (!key.startsWith('pooling_mode') || value === false) return []
    return typeof value === 'string' ? [value] : [key]
  })
  const [mode = '', ...more] = modes
  const way = more.length === 0 ? ways.get(mode) : undefined
  return way && { way, source: 'folder' }
}

/** The names that models give to the two prompts. */
const promptNames = {
  query: ['query', 'search_query', 'web_search_query', 's2p_query'],
  document: ['document', 'passage', 'search_document', 'corpus'],
} as const

/**
 * The prompts that sentence-transformers would use. Undefined without any text: its newer versions save empty prompts for every model, also
 * for those whose authors expect prefixes.
 */
function readPrompts(folder: string): Prefixes | undefined {
  const { prompts, default_prompt_name: preset } = readJson(join(folder, 'config_sentence_transformers.json')) ?? {}
  if (typeof prompts !== 'object' || prompts === null) return undefined
  const texts = new Map(
    Object.entries(prompts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  // The default is for texts whose kind has no prompt, unless it is that of the other kind.
  const find = (names: readonly string[], others: readonly string[]): string => {
    const named = names.find((name) => texts.has(name))
    const isForOthers = typeof preset !== 'string' || others.includes(preset)
    return texts.get(named ?? (isForOthers ? '' : preset)) ?? ''
  }
  const query = find(promptNames.query, promptNames.document)
  const document = find(promptNames.document, promptNames.query)
  return query === '' && document === '' ? undefined : { query, document }
}
