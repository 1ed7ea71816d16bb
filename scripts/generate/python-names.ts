import type { JsonSchema } from '../../packages/server/src/api/contracts.ts'
import type { NameInner } from './python-types.ts'
import { className } from './python-words.ts'

/** Names for objects that occur in several fields, where the name of the first one says too little. */
const chosen: Readonly<Record<string, string>> = {
  episodic: 'ContextMemory',
  default: 'SessionProfile',
  relatedMemoryId: 'RelatedMemory',
  stats: 'GraphStats',
  sessionContext: 'SessionContext',
  settings: 'Settings',
  links: 'LinkCounts',
  link: 'LinkedNote',
}

/**
 * Names the classes of unnamed objects. One that occurs once gets the names of its owner and its field. Equal ones share a class, with
 * the name of the field where it occurs first.
 */
export function nameObjects(schemas: readonly JsonSchema[], isTaken: (name: string) => boolean): NameInner {
  const counts = new Map<string, number>()
  for (const schema of schemas) countObjects(schema, counts)
  const names = new Map<string, string>()
  return (schema, field, owner) => {
    const key = keyOf(schema)
    const known = names.get(key)
    if (known !== undefined) return known
    const long = `${owner.replace(/(Output|Input)$/, '')}${className(field)}`
    const isShared = (counts.get(key) ?? 0) > 1
    const wanted = [
      ...(chosen[field] === undefined ? [] : [chosen[field]]),
      ...(isShared ? [className(field)] : []),
      long,
    ]
    const name = wanted.find((one) => !isTaken(one) && ![...names.values()].includes(one))
    if (name === undefined) throw new Error(`No name is left for the objects in ${owner}.${field}`)
    names.set(key, name)
    return name
  }
}

const keyOf = (schema: JsonSchema) => JSON.stringify({ ...schema, description: undefined })

function countObjects(schema: JsonSchema, counts: Map<string, number>): void {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema
  if (schema.properties !== undefined) counts.set(keyOf(schema), (counts.get(keyOf(schema)) ?? 0) + 1)
  const inner = [...Object.values(properties), items, additionalProperties, ...anyOf, ...oneOf]
  for (const one of inner) if (one !== undefined) countObjects(one, counts)
}
