import { emailTag, openPerson, type PersonProfile, sealPerson } from '../auth/person-store.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { Sealed } from '../crypto/cell.ts'
import { locksRows, type Reader, type Tx } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'

/** A person, opened. */
export interface User {
  userId: string
  email: string
  /** Display name; undefined if the person has not set one. */
  name?: string | undefined
  isOwner: boolean
  /** If the stored email address and name can't be opened. They are then empty, and signing in still works. */
  isDamaged?: true | undefined
  createdAt: number
  /** Since when nothing of theirs may be used; undefined if it may. */
  disabledAt?: number | undefined
}

export interface UserWithPassword extends User {
  passwordHash: string
}

interface NewUser extends UserWithPassword {
  wrappedMek: Uint8Array
  mekVersion: number
}

/** Returns false, without writing anything, if the email address is taken or there is already an owner. */
export async function insertUser(tx: Tx, instance: Instance, user: NewUser): Promise<boolean> {
  const { userId, email, name, isOwner, createdAt, passwordHash, wrappedMek, mekVersion } = user
  const inserted = await tx
    .insertInto('users')
    .values({
      id: userId,
      emailTag: emailTag(instance, email),
      ...sealPerson(instance, { userId, revision: 1 }, { email, name }),
      passwordHash,
      isOwner: isOwner ? 1 : 0,
      wrappedMek,
      mekVersion,
      minGeneration: 1,
      createdAt,
      disabledAt: null,
    })
    .onConflict((taken) => taken.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function hasOwner(db: Reader): Promise<boolean> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('isOwner', '=', ({ lit }) => lit(1))
    .executeTakeFirst()
  return owner !== undefined
}

export async function findUserByEmail(
  db: Reader,
  instance: Instance,
  email: string,
): Promise<UserWithPassword | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...userColumns, 'passwordHash'])
    .where('emailTag', '=', emailTag(instance, email))
    .executeTakeFirst()
  return row && { ...open(instance, row), passwordHash: row.passwordHash }
}

/** For the operator, who identifies people by email address. */
export async function getUserByEmail(db: Reader, instance: Instance, email: string): Promise<User> {
  const user = await findUserByEmail(db, instance, email)
  if (user === undefined) throw notFound('User')
  return user
}

export async function getUserWithPassword(db: Reader, instance: Instance, userId: string): Promise<UserWithPassword> {
  const row = await db
    .selectFrom('users')
    .select([...userColumns, 'passwordHash'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) throw notFound('User')
  return { ...open(instance, row), passwordHash: row.passwordHash }
}

export async function hasPasswordHash(db: Reader, userId: string, passwordHash: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('id', '=', userId).where('passwordHash', '=', passwordHash)
  return (await query.executeTakeFirst()) !== undefined
}

export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()
}

/**
 * From this commit on, their credentials and agent keys are refused like unknown ones; `undefined` accepts them again. Who is disabled
 * already stays so since then.
 */
export async function setDisabled(tx: Tx, userId: string, disabledAt: number | undefined): Promise<void> {
  await tx
    .updateTable('users')
    .set({ disabledAt: disabledAt ?? null })
    .where('id', '=', userId)
    .$if(disabledAt !== undefined, (query) => query.where('disabledAt', 'is', null))
    .execute()
}

/** Changes a person's name or email address. The database rejects an address that another person uses. */
export async function updateProfile(
  tx: Tx,
  instance: Instance,
  userId: string,
  changes: Partial<PersonProfile>,
): Promise<User> {
  const row = await tx
    .selectFrom('users')
    .select(userColumns)
    .where('id', '=', userId)
    // Name and email address share a cell. The lock keeps two concurrent changes from undoing each other.
    .$if(locksRows(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) throw notFound('User')
  const before = open(instance, row)
  // Sealing what is left would replace the address that the person signs in with.
  if (before.isDamaged === true && changes.email === undefined)
    throw conflict('Your stored email address and name are damaged. Set your email address again first')
  const user = { ...before, ...changes, isDamaged: undefined }
  const { email, name } = user
  const sealed = sealPerson(instance, { userId, revision: row.profileRevision + 1 }, { email, name })
  await tx
    .updateTable('users')
    .set({ emailTag: emailTag(instance, email), ...sealed })
    .where('id', '=', userId)
    .execute()
  return user
}

export async function getUser(db: Reader, instance: Instance, userId: string): Promise<User> {
  const row = await db.selectFrom('users').select(userColumns).where('id', '=', userId).executeTakeFirst()
  if (row === undefined) throw notFound('User')
  return open(instance, row)
}

/** Oldest first. */
export async function findUsers(
  db: Reader,
  instance: Instance,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ users: User[]; total: number }> {
  const rows = await db.selectFrom('users').select(userColumns).orderBy('id').limit(limit).offset(offset).execute()
  return { users: rows.map((row) => open(instance, row)), total: await countRows(db, 'users') }
}

/** Users whose email address and name can't be opened, for the operator. */
export async function countDamagedUsers(db: Reader, instance: Instance): Promise<number> {
  const rows = await db.selectFrom('users').select(userColumns).execute()
  return rows.filter((row) => open(instance, row).isDamaged === true).length
}

interface UserRow {
  id: string
  profile: Sealed
  profileRevision: number
  isOwner: number
  createdAt: number
  disabledAt: number | null
}

const userColumns = ['id', 'profile', 'profileRevision', 'isOwner', 'createdAt', 'disabledAt'] as const

function open(instance: Instance, { id, profile, profileRevision, isOwner, createdAt, disabledAt }: UserRow): User {
  const opened = openPerson(instance, { userId: id, revision: profileRevision }, profile)
  const { email, name } = opened ?? { email: '' }
  const isDamaged = opened === undefined || undefined
  return { userId: id, email, name, isOwner: isOwner === 1, isDamaged, createdAt, disabledAt: disabledAt ?? undefined }
}

interface Counts {
  users: number
  vaults: number
  memories: number
  /** Memories and notes: everything that search covers. */
  records: number
  /** Records that have no vectors of the configured model yet. */
  vectorsMissing: number
}

/** Counts over the whole instance, for its operator. */
export async function countEverything(db: Reader): Promise<Counts> {
  const waiting = await db
    .selectFrom('indexEntries')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('vectorsMissing', '=', ({ lit }) => lit(1))
    .executeTakeFirstOrThrow()
  return {
    users: await countRows(db, 'users'),
    vaults: await countRows(db, 'vaults'),
    memories: await countRows(db, 'memories'),
    records: await countRows(db, 'indexEntries'),
    vectorsMissing: waiting.rows,
  }
}

async function countRows(db: Reader, table: 'users' | 'vaults' | 'memories' | 'indexEntries'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return row.rows
}

export async function listUserIds(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
