import type { Source, SourceFile } from '../source.ts'
import { isInPackage, linesIn, readText } from '../source.ts'

/** JSON files and JSON lines. */

export type Item = Record<string, unknown>

export const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Reads a JSON file. Returns undefined if it is invalid. */
export async function readJson(file: SourceFile): Promise<unknown> {
  try {
    return JSON.parse((await readText(file)).replace(/^\uFEFF/, '')) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads the objects of a list, of a list in one of these fields, or of lines. Calls `damaged` for invalid lines. */
export async function objectsIn(
  file: SourceFile,
  fields: readonly string[],
  damaged: (where: string) => void,
): Promise<Item[]> {
  if (!/\.jsonl$/i.test(file.path)) {
    const value = await readJson(file)
    if (Array.isArray(value)) return value.filter(isObject)
    if (!isObject(value)) return []
    const list = fields.map((field) => value[field]).find((one) => Array.isArray(one))
    return Array.isArray(list) ? list.filter(isObject) : []
  }
  const items: Item[] = []
  let number = 0
  for await (const line of linesIn(file)) {
    number++
    if (line.trim() === '') continue
    const item = parseObject(line)
    if (item === undefined) damaged(`line ${number}`)
    else items.push(item)
  }
  return items
}

/** Returns undefined if the text is no JSON object. */
export function parseObject(text: string): Item | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Without the settings of Obsidian and its plugins, which may look like data of other programs. */
export const jsonFiles = ({ files }: Pick<Source, 'files'>): SourceFile[] =>
  files.filter(({ path }) => /\.jsonl?$/i.test(path) && !isInPackage(path) && !/(^|\/)\.obsidian\//.test(path))
