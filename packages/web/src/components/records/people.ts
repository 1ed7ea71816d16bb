import type { Person } from '@holdfast/client/dashboard'

/**
 * The people who write in the vault on screen: records name them by `user` and `user:<id>`. Kept outside of React, because names are printed
 * in many places by plain functions. A page sets it before it shows records.
 */
interface VaultPeople {
  /** The person who looks. */
  ownId: string | undefined
  /** Undefined in a vault of their own. */
  owner: Person | undefined
  members: readonly Person[]
}

const nobody: VaultPeople = { ownId: undefined, owner: undefined, members: [] }

let people = nobody

export const showPeople = (next: VaultPeople | undefined) => void (people = next ?? nobody)

const ownersName = 'user'
const membersName = 'user:'

/** `you`, or a name; undefined if an agent has this id, since no agent can have such a name. */
export function personBehind(agentId: string | null): string | undefined {
  if (agentId === ownersName) return people.owner === undefined ? you : nameOf(people.owner)
  if (agentId?.startsWith(membersName) !== true) return undefined
  const id = agentId.slice(membersName.length)
  if (id === people.ownId) return you
  const member = people.members.find(({ userId }) => userId === id)
  return member === undefined ? 'another person' : nameOf(member)
}

export const you = 'you'

/** With the address, since people choose their names and can choose that of someone else. Undefined if the account is gone. */
export function namePerson({ name, email }: Person): string | undefined {
  if (email === '') return name ?? undefined
  return name === null ? email : `${name} (${email})`
}

const nameOf = (person: Person): string => namePerson(person) ?? 'another person'
