import { type CellAddress, openIntactJson, type Sealed, sealJson } from '../crypto/cell.ts'
import { exactTag } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'

/** Who people are: their email addresses and names, sealed under the key of the instance. */

/** The sealed part of a person. */
export interface PersonProfile {
  email: string
  /** Display name; undefined if the person has not set one. */
  name?: string | undefined
}

interface ProfilePlace {
  userId: string
  revision: number
}

export const sealPerson = (instance: Instance, place: ProfilePlace, profile: PersonProfile) => ({
  profile: sealJson(instance.keys, 'content', profileAddress(instance, place), profile),
  profileRevision: place.revision,
})

/** Undefined if it is damaged. */
export const openPerson = (instance: Instance, place: ProfilePlace, profile: Sealed): PersonProfile | undefined =>
  openIntactJson(instance, profileAddress(instance, place), profile) as PersonProfile | undefined

const profileAddress = (instance: Instance, { userId, revision }: ProfilePlace): CellAddress => ({
  userId,
  scopeId: instance.id,
  table: 'users',
  rowId: userId,
  column: 'profile',
  revision,
})

/** Look-up key for a person. Without the instance's key it reveals nothing about the address. */
export const emailTag = (instance: Instance, address: string): Buffer =>
  exactTag(tagKeys(instance.keys).exact, 'email', address.toLowerCase())

/** These people by id, without those whose account was deleted. The address of a damaged one is empty. */
export async function findPeople(
  db: Reader,
  instance: Instance,
  ids: Iterable<string>,
): Promise<Map<string, PersonProfile>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'profile', 'profileRevision'])
    .where('id', 'in', wanted)
    .execute()
  return new Map(
    rows.map(({ id, profile, profileRevision: revision }) => [
      id,
      openPerson(instance, { userId: id, revision }, profile) ?? { email: '' },
    ]),
  )
}

export async function findIdByEmail(db: Reader, instance: Instance, address: string): Promise<string | undefined> {
  const query = db.selectFrom('users').select('id').where('emailTag', '=', emailTag(instance, address))
  return (await query.executeTakeFirst())?.id
}
