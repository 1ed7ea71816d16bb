import { nameLine } from './mark-recalled.ts'

/** The name under which the server stores what people write. No agent can have it. */
const personsName = 'user'

/** What stands for the person in our texts. No printed name looks like it, because a name with a blank is in quotes. */
const thePerson = 'the person'

/** Our own words, which are never printed for a name without quotes. The server refuses such names, but older ones are stored. */
const ownWords = new Set([personsName, 'you', 'person', 'holdfast', 'template', 'imported'])

const plainName = /^[A-Za-z0-9][A-Za-z0-9._@/+-]*$/
const quotes = /["“”„‟«»〝〞〟＂]/g
const maxNameChars = 60

/**
 * Prints the name that an agent gave itself, so that it cannot end its place in a line and go on as our words: as it is if it is one plain
 * word, otherwise in quotes.
 */
export function printName(name: string): string {
  const chars = Array.from(nameLine(name).replaceAll(quotes, "'"))
  const line = chars.length > maxNameChars ? `${chars.slice(0, maxNameChars - 1).join('')}…` : chars.join('')
  return plainName.test(line) && !ownWords.has(line.toLowerCase()) ? line : `"${line}"`
}

/** Prints who acts or wrote: the person, or the name of an agent. */
export const printParty = (
  agentId: string,
  type: 'agent' | 'user' = agentId === personsName ? 'user' : 'agent',
): string => (type === 'user' ? thePerson : printName(agentId))
