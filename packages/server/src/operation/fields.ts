import { hasHidden, isBlank } from '@holdfast/transfer/text/hidden-characters'
import { z } from 'zod'
import { imitatesReservedName } from '../core/reserved-names.ts'

/** Fields that several contracts share. Contracts describe what is on the wire: no transforms, no dates. */

const uuid = z.uuid()

export const vaultId = uuid.describe("The vault to work in. Default: the integration's primary vault.")
export const memoryId = uuid.describe('Id of the memory.')
export const memoryIds = z.array(uuid).min(1).max(50).describe('Ids of the memories, 1 to 50.')

export const maxRunIdChars = 200
export const agentRunId = z.string().min(1).max(maxRunIdChars)

/** The name of an agent. Names are stored in plain text, in which PostgreSQL allows no NUL, and names need no line breaks. */
export const agentName = z
  .string()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex -- these are what it refuses
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must not contain control characters')

export const notReserved =
  'must not look like "user", "*", or a name that Holdfast uses itself, such as "you" or "deleted", nor contain "the person"; choose another name'

const notHidden =
  'must not contain invisible characters, or characters that change the direction of a text; remove them or choose another name'

export const notPlain = 'must not contain invisible characters or letters that look like others; type the address again'

/** Whether an address looks like what it is. In a mix of alphabets, a Cyrillic "а" looks like a Latin "a"; a whole name in one is fine. */
export const isPlainAddress = (address: string): boolean =>
  !hasHidden(address) &&
  !/\p{Cc}/u.test(address) &&
  address === address.normalize('NFKC') &&
  !address
    .split(/[@.]/)
    .some((part) => /\p{Script=Latin}/u.test(part) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(part))

export const notBlank = 'must not be blank'

/** A name that people choose and see in lists. A terminal or a log would obey control characters. */
export const shownName = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .refine((name) => !isBlank(name), notBlank)
    .refine(
      (name) => !/\p{Cc}/u.test(name) && !hasHidden(name),
      'must be on one line, without control or invisible characters',
    )

/**
 * The name of a person, which must not look like what Holdfast calls the reader, everyone or itself, nor like the address of someone else.
 * Comparing it with the addresses of others would tell who has an account.
 */
export const personName = shownName(100)
  .refine((name) => !imitatesReservedName(name), notReserved)
  .refine(
    (name) => !name.normalize('NFKC').includes('@'),
    'must not contain "@"; leave it empty to show your email address',
  )

/** The name of a sending agent, which must not look like the person, everyone, or Holdfast itself, nor hide what it is. */
export const senderName = agentName
  .refine((name) => !isBlank(name), notBlank)
  .refine((name) => !imitatesReservedName(name), notReserved)
  .refine((name) => !hasHidden(name), notHidden)

/** Of a person. */
export const email = z
  .string()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'not an email address')
  .describe("Email address; case doesn't matter.")

/** Of an account from now on. Older accounts may have another one, with which they still sign in. */
export const newEmail = email.refine(isPlainAddress, notPlain)

/** What an agent may say about itself in any call. */
export const common = {
  agentId: senderName.optional().describe("Identifier of the calling agent. Default: the integration's."),
  agentRunId: agentRunId
    .optional()
    .describe('Session or run that groups operations. Default: the X-Agent-Run-Id header.'),
  modelId: z.string().min(1).max(200).optional().describe('Name of the model in use.'),
}

/** The vault field of people's routes. */
export const ownVault = { vaultId: uuid.describe('The vault.') }

export const inVault = { vaultId: vaultId.optional(), ...common }

export const importance = z.int().min(1).max(5)
export const timestamp = z.iso.datetime({ offset: true })

export const expectedVersion = z
  .int()
  .min(1)
  .optional()
  .describe('Fail with 409 unless the record still has this version.')

export const fromVersion = z
  .int()
  .min(1)
  .optional()
  .describe(
    'Restore this older version. No other field except `expectedVersion` may be given with it. The record is then trusted as much as that version, and as you are.',
  )

export const externalWriteId = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe('Idempotency key: a repeated call returns the first record and changes nothing.')

export const limit = z.int().min(1).max(100).default(20).describe('How many to return, 1 to 100.')
export const offset = z.int().min(0).default(0).describe('How many to skip.')

/** Some callers send an empty list, which doesn't filter. */
export const nonEmpty = <T>(list: T[] | undefined): T[] | undefined => (list?.length === 0 ? undefined : list)

const maxMetadataCharacters = 65_536

export const metadataLimit = `at most ${maxMetadataCharacters} characters as JSON`
export const fitsMetadata = (value: unknown): boolean => JSON.stringify(value).length <= maxMetadataCharacters

export const metadata = z
  .record(z.string(), z.json())
  .refine(fitsMetadata, metadataLimit)
  .describe('Any JSON object; at most 65,536 characters as JSON.')
