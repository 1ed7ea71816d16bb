import type { JsonSchema } from './contracts.ts'

/**
 * Names for the enums of a document, and for objects that occur more than once, so that generated clients have one type for each.
 * A field's own name is one if it has several words and no other meaning; other names begin with where the schema is.
 */
const namesOfEnums: Record<string, string> = {
  'soul|instructions|skills|checks': 'DocumentType',
  'imported|agent_authored|user_authored': 'Trust',
  'agent|user|broadcast': 'TargetType',
  'pending|rejected': 'ProposalStatus',
  'live|archived|all': 'RecordState',
  'semantic|blind|graph': 'SearchLeg',
  'title|tags|content': 'NoteField',
  'note|memory': 'NodeType',
  'yes|ask|no': 'WritePolicyChoice',
  'read_only|read_write|admin': 'ScopePreset',
  'default|planning|incident|handoff|deep|minimal|none': 'SessionMode',
}

interface Place {
  schema: JsonSchema
  owner: string
  path: readonly string[]
}

/** Schemas by the names of their owners: components, and inputs and outputs of operations. */
export type Owners = Readonly<Record<string, JsonSchema>>

/** Returns the same schemas with references to the named ones. */
export function nameParts(owners: Owners): Record<string, JsonSchema> {
  const groups = new Map<string, Place[]>()
  for (const [owner, schema] of Object.entries(owners))
    for (const place of listParts(schema, owner, [])) {
      const key = keyOf(place.schema)
      groups.set(key, [...(groups.get(key) ?? []), place])
    }
  const known = new Map(Object.entries(owners).map(([owner, schema]) => [keyOf(schema), owner]))
  const unnamed = [...groups].filter(
    ([key, places]) =>
      !known.has(key) &&
      (places.length > 1 || places.some(({ schema, path }) => schema.enum !== undefined || isChoice(path))),
  )
  const chosen = chooseNames(new Map(unnamed), Object.keys(owners))
  const names = new Map([...known, ...chosen])
  const printed = [...chosen].map(([key, name]) => {
    const [place] = groups.get(key) ?? []
    return [name, withConstants(name, replaceParts(bare(place?.schema ?? {}), names, key))] as const
  })
  const rest = Object.entries(owners).map(
    ([owner, schema]) => [owner, replaceParts(schema, names, keyOf(schema))] as const,
  )
  return Object.fromEntries([...printed, ...rest].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Some languages have one namespace for the constants of all enums, so each begins with the name of its enum. */
function withConstants(name: string, schema: JsonSchema): JsonSchema {
  if (schema.enum === undefined) return schema
  const toConstant = (text: string) =>
    text
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
      .replaceAll(/\W/g, '_')
      .toUpperCase()
  return { ...schema, 'x-enum-varnames': schema.enum.map((value) => toConstant(`${name}_${String(value)}`)) }
}

/** What is the same wherever a schema is used. */
function bare({ description: _description, default: _preset, ...schema }: JsonSchema): JsonSchema {
  return schema
}

const keyOf = (schema: JsonSchema) => JSON.stringify(bare(schema))

const isPart = ({ enum: values, type, properties = {} }: JsonSchema) =>
  (values !== undefined && type === 'string') || (type === 'object' && Object.keys(properties).length > 0)

function listParts(schema: JsonSchema, owner: string, path: readonly string[]): Place[] {
  const own = path.length > 0 && isPart(schema) ? [{ schema, owner, path }] : []
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  const choices = anyOf.filter(({ type }) => type === 'object')
  return [
    ...own,
    // A generator that reads a choice of unnamed objects twice takes the parts of the second for those of the first.
    ...(choices.length > 1 ? choices : []).flatMap((choice) =>
      listParts(choice, owner, [...path, choicePrefix + (choice.required?.[0] ?? '')]),
    ),
    ...Object.entries(properties).flatMap(([name, field]) => listParts(field, owner, [...path, name])),
    ...[
      items ?? [],
      additionalProperties ?? [],
      choices.length > 1 ? anyOf.filter((one) => !choices.includes(one)) : anyOf,
      oneOf,
      allOf,
    ]
      .flat()
      .flatMap((child) => listParts(child, owner, path)),
  ]
}

function replaceParts(schema: JsonSchema, names: ReadonlyMap<string, string>, except: string): JsonSchema {
  const name = isPart(schema) ? names.get(keyOf(schema)) : undefined
  if (name !== undefined && keyOf(schema) !== except) {
    const { description, default: preset } = schema
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== undefined && { description }),
      ...(preset !== undefined && { default: preset }),
    }
  }
  const inner = (child: JsonSchema) => replaceParts(child, names, '')
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([field, child]) => [field, inner(child)])),
    }),
    ...(items && { items: inner(items) }),
    ...(additionalProperties && { additionalProperties: inner(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(allOf && { allOf: allOf.map(inner) }),
  }
}

/** By what they name. Throws if two would be the same, which then need an entry above. */
function chooseNames(groups: ReadonlyMap<string, readonly Place[]>, taken: readonly string[]): Map<string, string> {
  const short = new Map([...groups].map(([key, places]) => [key, shortName(places)]))
  const uses = Map.groupBy([...short.values(), ...taken], (name) => name.toLowerCase())
  const names = new Map(
    [...groups].map(([key, places]) => {
      const name = short.get(key) ?? ''
      const isOwn = isSeveralWords(name) && !isChoice(places[0]?.path ?? [])
      const isUnique = isOwn && uses.get(name.toLowerCase())?.length === 1
      const [place] = places
      return [key, namesOfEnums[place?.schema.enum?.join('|') ?? ''] ?? (isUnique ? name : longName(places))]
    }),
  )
  const all = [...names.values(), ...taken].map((name) => name.toLowerCase())
  const twice = all.filter((name, at) => all.indexOf(name) !== at)
  if (twice.length > 0) throw new Error(`Different schemas would have the same name: ${twice.join(', ')}`)
  return names
}

/** In the path of one of several objects: it is named after its first field. */
const choicePrefix = 'with-'
const isChoice = (path: readonly string[]) => path.at(-1)?.startsWith(choicePrefix) === true

const pascalCase = (name: string) => name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())
const singular = (name: string) =>
  name.startsWith(choicePrefix) ? name : name.replace(/ies$/, 'y').replace(/(?<![su])s$/, '')
const isSeveralWords = (name: string) => /^[A-Z][a-z0-9]*[A-Z]/.test(name)

/** The field that holds it most often. */
function shortName(places: readonly Place[]): string {
  const fields = [...Map.groupBy(places, ({ path }) => singular(path.at(-1) ?? ''))]
  const [most] = fields.toSorted(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1))
  return pascalCase(most?.[0] ?? '')
}

/** Where it is: in the component with the shortest name, or else in the first operation, under its last field that makes it unique. */
function longName(places: readonly Place[]): string {
  const [place] = places.toSorted((one, other) => rank(one) - rank(other))
  if (place === undefined) return ''
  const owner = place.owner.replace(/^Person(?=[A-Z])/, '').replace(/(?:Input|Output|Query)$/, '')
  return owner + place.path.map((field) => pascalCase(singular(field))).join('')
}

const rank = ({ owner, path }: Place) =>
  (/(?:Input|Output|Query)$/.test(owner) ? 1000 : 0) + owner.length + 10 * path.length
