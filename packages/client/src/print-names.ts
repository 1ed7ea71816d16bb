import { nameLine } from './mark-recalled.ts'

/** The name under which the server stores what people write. No agent can have it. */
const personsName = 'user'

/** What stands for the person in our texts. No printed name looks like it, because a name with a blank is in quotes. */
const thePerson = 'the person'

/** Our own words, which are never printed for a name without quotes. The server refuses such names, but older ones are stored. */
const ownWords = /^(user|you|person|holdfast|template|imported)$/i

const plainName = /^[a-z\d][\w.@/+-]*$/i
const quotes = /["“”„‟«»〝〞〟＂]/g
const maxNameChars = 60

/**
 * Prints the name that an agent gave itself, so that it cannot end its place in a line and go on as our words: unchanged if it is one plain
 * word, otherwise in quotes.
 */
export function printName(name: string): string {
  const chars = Array.from(nameLine(name).replaceAll(quotes, "'"))
  // The cut may part an emoji.
  const line = chars.length > maxNameChars ? nameLine(`${chars.slice(0, maxNameChars - 1).join('')}…`) : chars.join('')
  return plainName.test(line) && !ownWords.test(line) ? line : `"${line}"`
}

/** Prints who acts or wrote: the person, or the name that an agent gave, with the label of its key if that has another name. */
export function printParty(agentId: string, keyLabel?: string, type?: 'agent' | 'user'): string {
  if (type === 'user' || (type === undefined && agentId === personsName)) return thePerson
  return keyLabel === undefined ? printName(agentId) : `${printName(agentId)} (key: ${printName(keyLabel)})`
}

/** The name of the sender of an imported message that may give none. No agent can have it. */
const importedName = 'imported'

/** Prints the sender of a message: `planner (key: Evil)`. */
export function printSender(sender: {
  name: string
  type: 'agent' | 'user'
  keyLabel?: string | undefined
  trust: string
}): string {
  const { name, type, keyLabel, trust } = sender
  if (trust !== 'imported') return printParty(name, keyLabel, type)
  return name === importedName ? 'imported' : `imported, by ${printName(name)}`
}

/** The label of a message's integration, if the sender gave a name that isn't its own. */
export function findKeyLabel(
  name: string,
  by: { label: string | null; agentId: string | null } | null,
): string | undefined {
  return by === null || name === (by.agentId ?? by.label) ? undefined : (by.label ?? 'deleted')
}
