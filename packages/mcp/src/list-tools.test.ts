import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { operationTools } from './generated/operation-tools.ts'
import { instructions } from './instructions.ts'
import { coreTools, findTool, selectTools, listToolset } from './list-tools.ts'
import type { PropertySchema } from './schema.ts'
import { noSwitches } from './switches.ts'
import type { Tool } from './tool.ts'
import { toolsetNames } from './toolsets.ts'

const everyTool = toolsetNames.flatMap(listToolset)
const named = (tools: readonly Tool[]) => tools.map(({ name }) => name)

/** The part of a tool that a model sees. */
const shown = ({ name, description, inputSchema }: Tool) => JSON.stringify({ name, description, inputSchema })

describe('the tools for everyday work', () => {
  it('are fifteen, in a fixed order, and need at most 3,000 tokens', () => {
    expect(named(coreTools)).toEqual([
      'session_start',
      'search_memories',
      'read_items',
      'write_memory',
      'update_memory',
      'archive_memory',
      'list_tasks',
      'save_task',
      'save_note',
      'explore_graph',
      'add_link',
      'read_messages',
      'send_message',
      'ack_message',
      'context_checkpoint',
    ])
    expect(countTokens(coreTools.map(shown).join('\n'))).toBeLessThanOrEqual(3_000)
  })

  it('declare their effects and scopes', () => {
    const table = coreTools.map(({ name, effect, isIdempotent, scopes }) => [
      name,
      effect,
      isIdempotent,
      scopes.join('+'),
    ])
    expect(table).toEqual([
      ['session_start', 'read', true, 'read'],
      ['search_memories', 'read', true, 'read+search'],
      ['read_items', 'read', true, 'read'],
      ['write_memory', 'write', false, 'write'],
      ['update_memory', 'write', true, 'write'],
      ['archive_memory', 'destructive', true, 'write'],
      ['list_tasks', 'read', true, 'read'],
      ['save_task', 'write', false, 'write'],
      ['save_note', 'write', false, 'write'],
      ['explore_graph', 'read', true, 'read'],
      ['add_link', 'write', true, 'write'],
      ['read_messages', 'read', true, 'read'],
      ['send_message', 'write', false, 'write'],
      ['ack_message', 'write', true, 'write'],
      ['context_checkpoint', 'write', true, 'write'],
    ])
  })
})

describe('every tool', () => {
  it.each(everyTool)('$name has a name and description that hosts accept', ({ name, title, description }) => {
    expect(name).toMatch(/^[a-z_]{3,25}$/)
    expect(title).not.toBe('')
    expect(description.length).toBeGreaterThan(10)
    expect(description.length).toBeLessThan(1_024)
  })

  it.each(everyTool)('$name has a schema that hosts and models accept', ({ inputSchema }) => {
    expect(Object.keys(inputSchema)).toEqual(expect.arrayContaining(['type', 'properties', 'additionalProperties']))
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(inputSchema)).not.toMatch(/"(\$ref|oneOf|anyOf|allOf|not|const|\$defs|patternProperties)":/)
    for (const [path, schema] of propertiesOf(inputSchema.properties)) {
      expect(schema.type, path).toBeTypeOf('string')
      expect(schema.type === 'array', path).toBe(typeof schema.items?.type === 'string')
      expect(schema.enum, path).not.toEqual([])
    }
    for (const name of inputSchema.required ?? []) expect(inputSchema.properties).toHaveProperty(name)
  })

  it.each(everyTool)('$name keeps its meaning with the schema words that Gemini knows', ({ inputSchema }) => {
    const sanitised = sanitise({ type: 'object', properties: inputSchema.properties })
    expect(Object.keys(sanitised.properties ?? {})).toEqual(Object.keys(inputSchema.properties))
    for (const [path, schema] of propertiesOf(sanitised.properties ?? {})) {
      expect(['string', 'integer', 'number', 'boolean', 'array', 'object'], path).toContain(schema.type)
      expect(schema.type === 'array', path).toBe(schema.items !== undefined)
      // Gemini accepts enums only for strings.
      expect(schema.enum === undefined || schema.type === 'string', path).toBe(true)
    }
  })
})

/** Lists each property and nested property with its path. */
function propertiesOf(properties: Readonly<Record<string, PropertySchema>>, prefix = ''): [string, PropertySchema][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = prefix + name
    const inner = { ...schema.properties, ...schema.items?.properties }
    return [[path, schema] as [string, PropertySchema], ...propertiesOf(inner, `${path}.`)]
  })
}

const knownToGemini = new Set([
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'nullable',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
])

/** Keeps only the schema words that Gemini knows, and date formats. */
function sanitise(schema: PropertySchema): PropertySchema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([word]) => knownToGemini.has(word)))
  return {
    ...(kept as unknown as PropertySchema),
    ...(schema.format === 'date-time' && { format: schema.format }),
    ...(schema.items !== undefined && { items: sanitise(schema.items) }),
    ...(schema.properties !== undefined && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, sanitise(inner)])),
    }),
  }
}

describe('toolsets', () => {
  it('contain each operation once, and full contains all', () => {
    expect(named(listToolset('full'))).toEqual(operationTools.map(({ name }) => name))
    const parts = toolsetNames.filter((name) => !['core', 'full', 'chatgpt'].includes(name)).flatMap(listToolset)
    expect(named(parts).toSorted()).toEqual(named(listToolset('full')).toSorted())
  })

  it('are never empty', () => {
    expect(toolsetNames.filter((name) => listToolset(name).length === 0)).toEqual([])
  })

  it('combine, and the first wins if two have a tool of the same name', () => {
    const both = selectTools({ ...noSwitches, toolsets: ['core', 'memory'] })
    expect(named(both).slice(0, 15)).toEqual(named(coreTools))
    expect(named(both).slice(15)).toEqual(['read_memories', 'cleanup_memories', 'get_related_memories'])
    expect(both.find(({ name }) => name === 'search_memories')).toBe(coreTools[1])
  })

  it('leave out writing tools for a read-only connection', () => {
    const tools = selectTools({ ...noSwitches, toolsets: ['core', 'full'], isReadOnly: true })
    expect(tools.length).toBeGreaterThan(10)
    expect(tools.filter(({ effect }) => effect !== 'read')).toEqual([])
  })

  it('still find a tool that was never listed', () => {
    expect(findTool('list_vaults', noSwitches)?.name).toBe('list_vaults')
    expect(findTool('search_memories', { ...noSwitches, toolsets: ['full'] })?.inputSchema.properties).toHaveProperty(
      'topK',
    )
    expect(findTool('search_memories', noSwitches)?.inputSchema.properties).toHaveProperty('limit')
    expect(findTool('drop_vault', noSwitches)).toBeUndefined()
  })
})

it('the instructions are shorter than the limit of hosts', () => {
  expect(instructions.length).toBeLessThan(2_048)
})
