import { withoutHidden } from '@holdfast/transfer/text/hidden-characters'
import { personBehind, you } from './people.ts'

/** Who shaped a text, as answers name them. */
export interface Written {
  /** The author. */
  agentId: string | null
  source: { integrationId: string | null; keyLabel?: string | undefined; route?: string; trust: string } | null
  changedBy: Name | null
}

interface Name {
  agentId: string | null
  integrationId: string | null
  /** The label of its key, if the agent gave a name that isn't its own. */
  keyLabel?: string | undefined
  route?: string
}

/**
 * `you`, `you, changed by codex` or `codex`. A text that an agent has shaped is never called yours alone, and agents' names that could
 * be read as more than a name are in quotation marks.
 */
export function nameWriters({ agentId, source, changedBy }: Written): string {
  if (source === null) return 'no one'
  if (source.trust === 'user_authored') return namePeople([agentId, changedBy?.agentId ?? agentId])
  // What a file says about changes is as much a claim as its author, which is named.
  const others = changedBy === null || isFromFile(changedBy) ? [] : [changedBy]
  const names = [{ ...source, agentId }, ...others]
  if (names.every(isPerson))
    return source.trust === 'imported'
      ? 'an imported file'
      : `${namePeople(names.map((name) => name.agentId))} and agents`
  return [...new Set(names.map(nameWriter))].join(', changed by ')
}

/** In a text that people alone have shaped, who wrote it and who changed it last. */
const namePeople = (ids: readonly (string | null)[]): string =>
  [...new Set(ids.map((id) => personBehind(id) ?? you))].join(', changed by ')

/** No agent can have the name of a person. */
const isPerson = ({ agentId, integrationId }: Name) => integrationId === null && personBehind(agentId) !== undefined

/** The names in a file are claims: whoever wrote it could put in any. */
const isFromFile = ({ route }: Name) => route?.startsWith('import') === true

export function nameWriter(name: Name): string {
  const { agentId } = name
  if (isFromFile(name)) return agentId === null ? 'an imported file' : `imported, by ${printName(agentId)}`
  if (isPerson(name)) return personBehind(agentId) ?? you
  return agentId === null ? 'unknown' : withKey(printName(agentId), name)
}

/** An agent can give the name of another one. */
export const withKey = (name: string, { keyLabel }: Pick<Name, 'keyLabel'>): string =>
  keyLabel === undefined ? name : `${name} (key: ${printName(keyLabel)})`

function printName(agentId: string): string {
  const name = withoutHidden(agentId)
  return /^[\w.@/:-]+$/.test(name) && name.toLowerCase() !== you ? name : `“${name.replaceAll(/[“”]/g, '')}”`
}
