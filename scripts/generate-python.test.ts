import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { operation, routesOf, type Route } from '../packages/server/src/operation/operation.ts'
import { printPythonClient } from './generate/python-client.ts'
import { printDocstring, snakeCase, translate } from './generate/python-words.ts'

const thing = z.looseObject({ thingId: z.uuid(), soldAt: z.iso.datetime().nullable() }).meta({ id: 'Thing' })

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
      colour: z.enum(['red', "painter's blue"]).default('red').describe('Its colour; paint-thing needs a thingId.'),
      from: z.iso.datetime().nullable().optional().describe('When; null clears it.'),
      spots: z.array(z.union([z.string(), z.object({ spotSize: z.int().max(3) })])).optional(),
      vaultId: z.uuid(),
    }),
    output: z.looseObject({
      thing: thing,
      isWet: z.literal(true),
      layers: z.array(z.looseObject({ paintName: z.enum(['base', 'top']) })).optional(),
    }),
    examples: {
      input: { thingId: '0198c5f0-0000-7000-8000-000000000001', vaultId: '0198c5f0-0000-7000-8000-000000000002' },
      output: { thing: { thingId: '0198c5f0-0000-7000-8000-000000000001', soldAt: null }, isWet: true },
    },
    run: async () => {
      throw new Error('nothing is painted here')
    },
  }),
) as [Route]

const print = (route: Partial<Route> = {}) => {
  const files = printPythonClient([{ ...paintThing, ...route }], '1.2.3')
  return (name: string) => files[`clients/python/src/holdfast/_generated/${name}.py`] ?? ''
}

describe('the Python client', () => {
  it('has models whose fields have Python names, and readers for times and objects', () => {
    expect(print()('models').split('\n\n\n').slice(1)).toMatchInlineSnapshot(`
      [
        "class Thing(Model):
          thing_id: str
          sold_at: datetime | None

          _readers = {
              "soldAt": parse_time,
          }",
        "class PaintThingLayer(Model):
          paint_name: Literal["base", "top"] | str",
        "class PaintThingOutput(Answer):
          """Output of paint_thing."""

          thing: Thing
          is_wet: bool
          layers: list[PaintThingLayer] | None = None

          _readers = {
              "thing": Thing,
              "layers": many(PaintThingLayer),
          }",
        "__all__ = [
          "PaintThingLayer",
          "PaintThingOutput",
          "Thing",
      ]
      ",
      ]
    `)
  })

  it('has one method per operation, the same for both clients but for await', () => {
    const file = print()
    expect(file('methods').split('\n\n\n')[1]).toMatchInlineSnapshot(`
      "class Methods(Calls):
          def paint_thing(
              self,
              *,
              thing_id: str,
              colour: Literal["red", "painter's blue"] | None = None,
              from_: datetime | str | Unset | None = UNSET,
              spots: Sequence[str | PaintThingSpotInput] | None = None,
              vault_id: str | None = None,
              timeout: float | None = None,
              max_retries: int | None = None,
          ) -> models.PaintThingOutput:
              """Paint a thing.

              Args:
                  thing_id: Which.
                  colour: Its colour; paint_thing needs a thing_id. Default: "red".
                  from_: When; None clears it.
                  timeout: Time limit for this call including retries, in seconds. Default: the client's.
                  max_retries: How often to retry, if that is safe. Default: the client's.
              """
              return self._call(
                  routes.PAINT_THING,
                  {
                      "thingId": thing_id,
                      "colour": colour,
                      "from": from_,
                      "spots": spots,
                      "vaultId": vault_id,
                  },
                  models.PaintThingOutput,
                  timeout=timeout,
                  max_retries=max_retries,
              )

      "
    `)
    const sync = file('methods').replaceAll(/^from .*\n/gm, '')
    const async = file('async_methods').replaceAll(/^from .*\n/gm, '')
    expect(async.replaceAll('Async', '').replaceAll('async def', 'def').replaceAll('return await ', 'return ')).toBe(
      sync,
    )
  })

  it('knows which fields can be null or contain objects, and when a call can be repeated', () => {
    expect(print()('routes')).toContain(
      `PAINT_THING = Route(\n    "POST",\n    "/api/agent/paint-thing",\n    "never",\n    in_vault=True,\n    nullable=frozenset({"from"}),\n    shape={"spots": {}},\n)`,
    )
    expect(print()('inputs')).toContain('class PaintThingSpotInput(TypedDict):\n    spot_size: int\n')
  })

  it('rejects a schema that it cannot print', () => {
    const pair = z.tuple([z.string(), z.string()])
    expect(() => print({ input: z.object({ pair }) })).toThrow('Cannot print a Python type')
    const either = z.union([thing, z.object({ a: z.string() })])
    expect(() => print({ output: z.object({ either }) })).toThrow('Cannot tell')
    const things = z.array(z.object({ a: z.string() }))
    expect(() => print({ output: z.object({ things, hasMore: z.boolean() }) })).toThrow('its items need an id')
  })

  it('pages through lists', () => {
    const paged = print({ output: z.object({ things: z.array(thing), hasMore: z.boolean() }) })
    expect(paged('models')).toContain('class PaintThingPage(PaintThingOutput, Page[Thing]):')
    expect(paged('models')).toContain('_items = "things"')
    expect(paged('async_methods')).toContain('-> AsyncPages[models.PaintThingOutput, models.Thing]:')
  })
})

describe('names and texts', () => {
  it('follow Python', () => {
    expect(['relatedMemoryIds', 'from', 'search-and-read', 'pages'].map(snakeCase)).toEqual([
      'related_memory_ids',
      'from_',
      'search_and_read',
      'pages_',
    ])
    expect(translate('null clears `memoryId`; see read-note, `read-note:` and X-Agent-Run-Id.', ['read-note'])).toBe(
      'None clears `memory_id`; see read_note, `read-note:` and X-Agent-Run-Id.',
    )
  })

  it('cannot end a docstring', () => {
    expect(printDocstring([String.raw`a """ b \ c "d"`], '  ')).toBe(String.raw`  """a \""" b \\ c "d" """`)
    const long = printDocstring(['word '.repeat(60)], '    ')
    expect(long.split('\n').every((line) => line.length <= 100)).toBe(true)
    expect(long.endsWith('\n    """')).toBe(true)
  })
})
