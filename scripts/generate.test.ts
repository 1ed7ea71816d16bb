import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { routes } from '../packages/server/src/api/registry.ts'
import { describeVariables } from '../packages/server/src/config.ts'
import { operation, routesOf, type Route } from '../packages/server/src/operation/operation.ts'
import { printClientRoutes } from './generate/client-routes.ts'
import { printClientTypes } from './generate/client-types.ts'
import { printGeneratedFiles } from './generate/generated-files.ts'
import { printTable } from './generate/markdown-table.ts'
import { printOperationsPage } from './generate/operations-page.ts'
import { root } from './checks.ts'

const thing = z.looseObject({ thingId: z.uuid(), colour: z.string().nullable() }).meta({ id: 'Thing' })

const [paintThing] = routesOf(
  operation({
    name: 'paint-thing',
    for: { agent: { toolset: 'admin', scopes: ['write'] } },
    vault: 'resolved',
    summary: 'Paint a thing.',
    effect: 'write',
    changes: ['notes'],
    input: z.object({
      thingId: z.uuid().describe('Which.'),
      colour: z.enum(['red', "painter's blue"]).default('red').describe('Which */ colour | shade.'),
      coats: z.int().min(1).max(9).optional().describe('How many.'),
      spots: z
        .array(z.union([z.string(), z.object({ size: z.int().max(3) })]))
        .min(1)
        .optional()
        .describe('Where.'),
      extra: z.record(z.string(), z.json()).optional().describe('More.'),
      externalWriteId: z.string().optional().describe('Idempotency key.'),
    }),
    output: z.looseObject({
      thing: thing,
      isWet: z.literal(true),
      layers: z.record(z.enum(['base', 'top']), z.int()).optional(),
    }),
    examples: {
      input: { thingId: '0198c5f0-0000-7000-8000-000000000001', spots: ["the painter's"] },
      output: { thing: { thingId: '0198c5f0-0000-7000-8000-000000000001', colour: 'red' }, isWet: true },
    },
    run: async () => {
      throw new Error('nothing is painted here')
    },
  }),
) as [Route]

/** The registry with one changed operation. */
const changed = (name: string, changes: Partial<typeof paintThing>) =>
  routes.filter(({ audience }) => audience === 'agent').map((one) => (one.name === name ? { ...one, ...changes } : one))

const findRepeatable = (changes: Partial<typeof paintThing>) =>
  /'create-note': .*repeatable: '(\w+)'/.exec(printClientRoutes(changed('create-note', changes)))?.[1]

describe('the client types', () => {
  it('contain inputs, outputs, components and routes', () => {
    expect(printClientTypes([paintThing])).toMatchInlineSnapshot(`
      "// Written by \`npm run generate\` from the registry of operations; do not edit.

      export interface Thing {
        thingId: string
        colour: string | null
      }

      /** Input of paint-thing. */
      export interface PaintThingInput {
        /** Which. */
        thingId: string
        /** Which * / colour | shade. Default: "red". */
        colour?: 'red' | 'painter\\'s blue' | undefined
        /** How many. */
        coats?: number | undefined
        /** Where. */
        spots?: (string | {
          size: number
        })[] | undefined
        /** More. */
        extra?: Record<string, unknown> | undefined
        /** Idempotency key. */
        externalWriteId?: string | undefined
      }

      /** Output of paint-thing. */
      export interface PaintThingOutput {
        thing: Thing
        isWet: true
        layers?: {
          base: number
          top: number
        }
      }

      /** Input and output of each operation, and the item type of paged ones. */
      export interface Operations {
        /** Paint a thing. */
        'paint-thing': { input: PaintThingInput; output: PaintThingOutput }
      }

      export type OperationName = keyof Operations
      "
    `)
  })

  it('let a call leave out the vault', () => {
    const inVault = { ...paintThing, input: z.object({ vaultId: z.uuid(), thingId: z.uuid() }) }
    expect(printClientTypes([inVault])).toContain('vaultId?: string | undefined\n  thingId: string')
  })

  it('name the item type of a paged answer', () => {
    const paged = { ...paintThing, output: z.object({ things: z.array(thing), hasMore: z.boolean() }) }
    expect(printClientTypes([paged])).toContain("item: PaintThingOutput['things'][number] }")
    const unclear = { ...paged, output: paged.output.extend({ coats: z.array(z.string()) }) }
    expect(() => printClientTypes([unclear])).toThrow('paint-thing: which list is paged?')
  })

  it('reject a schema that they cannot print', () => {
    const withTuple = { ...paintThing, input: z.object({ pair: z.tuple([z.string(), z.string()]) }) }
    expect(() => printClientTypes([withTuple])).toThrow('Cannot print a type')
  })
})

describe("the client's routes", () => {
  it('reject an operation without a method, and a method without an operation', () => {
    expect(printClientRoutes([...changed('', {}), paintThing])).toContain("things: { paint: 'paint-thing' },")
    expect(() => printClientRoutes(changed('get-links', { name: 'list-links' }))).toThrow(
      'get-links is not an operation',
    )
  })

  it('say which calls are safe to repeat', () => {
    expect(findRepeatable({})).toBe('withWriteId')
    expect(findRepeatable({ input: z.object({}) })).toBe('never')
    expect(findRepeatable({ effect: 'destructive', input: z.object({}) })).toBe('never')
    expect(findRepeatable({ effect: 'read', input: z.object({}) })).toBe('always')
  })
})

describe('the page of operations', () => {
  const page = printOperationsPage([paintThing])

  it('has a row per field, also nested, with type, limits, default and description', () => {
    const rows = page.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
    expect(rows).toContain('| `colour` | `red`, `painter\'s blue` | | `"red"` | Which */ colour \\| shade. |')
    expect(rows).toContain('| `coats` | integer | 1 to 9 | | How many. |')
    expect(rows).toContain('| `spots` | array of string or object | at least 1 items | | Where. |')
    expect(rows).toContain('| `spots[].size` | integer | at most 3 | required | |')
    expect(rows).toContain('| `thing` | [Thing](#record-thing) | |')
    expect(rows).toContain('| `colour` | string or null | |')
  })

  it('links only to sections that exist', () => {
    const everything = printOperationsPage(routes)
    const anchors = new Set(
      [...everything.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
    const targets = [...everything.matchAll(/\]\(#([^)]*)\)/g)].map(([, target = '']) => target)
    expect(targets.length).toBeGreaterThan(routes.length)
    expect(targets.filter((target) => !anchors.has(target))).toEqual([])
  })

  it('shows a call that a shell runs unchanged', () => {
    const call = /```sh\n(curl[^]*?)\n```/.exec(page)?.[1]?.replace(/^curl/, 'printf "%s\\n"') ?? ''
    const { stdout } = spawnSync('sh', ['-c', call], {
      env: { HOLDFAST_URL: 'http://here', HOLDFAST_KEY: 'k' },
      encoding: 'utf8',
    })
    const words = stdout.trimEnd().split('\n')
    expect(words).toContain('http://here/api/agent/paint-thing')
    expect(words).toContain('Authorization: Bearer k')
    expect(JSON.parse(words.at(-1) ?? '')).toEqual(paintThing.examples.input)
  })
})

describe('the generated files', () => {
  it('list each setting with its default', () => {
    const page = printGeneratedFiles(routes, describeVariables(), '1.2.3')['docs/configuration.md']
    expect(page).toMatch(/^\| `HOLDFAST_PORT` +\| `8420` +\| Port to listen on/m)
  })

  it('contain types that compile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-types-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'operations.ts'), printClientTypes([paintThing]))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(
      process.execPath,
      [compiler, '--strict', '--noEmit', '--ignoreConfig', join(folder, 'operations.ts')],
      { encoding: 'utf8' },
    )
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })
})

describe('a table', () => {
  it('escapes the content of cells', () => {
    expect(printTable(['A', 'B'], [['x|y', 'two\nlines']])).toBe(
      '| A    | B         |\n| ---- | --------- |\n| x\\|y | two lines |',
    )
  })
})
