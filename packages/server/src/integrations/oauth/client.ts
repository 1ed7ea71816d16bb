import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { parseJson } from '../../core/json.ts'
import { dayMs } from '../../core/time.ts'
import type { Services } from '../../operation/context.ts'
import * as fields from '../../operation/fields.ts'
import {
  countUnusedClients,
  deleteExpiredClients,
  deleteOldestClient,
  findClientMetadata,
  insertClient,
} from './client-store.ts'
import { describeProblem } from './redirect-uri.ts'

/** A program that asks for access. Everything in it is what the program claims. */
export interface OauthClient {
  id: string
  name: string
  redirectUris: readonly string[]
  /** Where the metadata document is, whose address is then the program's id. Undefined for programs that registered. */
  documentHost: string | undefined
}

/**
 * What registration requests (RFC 7591) and metadata documents have in common. Names follow the rules for all names that others choose.
 * Fields that this server doesn't use are ignored.
 */
const metadata = z.looseObject({
  client_name: fields.senderName.optional(),
  redirect_uris: z
    .array(
      z.string().superRefine((uri, ctx) => {
        const problem = describeProblem(uri)
        if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
      }),
    )
    .min(1)
    .max(20),
})

export type ClientMetadata = Pick<OauthClient, 'name' | 'redirectUris'>

/** Undefined if it can't be accepted, with the field that is wrong. */
export function readMetadata(value: unknown): { metadata: ClientMetadata } | { wrongField: string; problem: string } {
  const { data, error } = metadata.safeParse(value)
  if (error !== undefined) {
    const [issue] = error.issues
    return { wrongField: String(issue?.path[0] ?? ''), problem: issue?.message ?? 'is not valid' }
  }
  const { redirect_uris: redirectUris, client_name: name = URL.parse(redirectUris[0] ?? '')?.host ?? '' } = data
  return { metadata: { name, redirectUris } }
}

const unusedMs = dayMs
const maxUnused = 1000

/** How long a program that was allowed once can ask again. */
export const usedClientMs = 400 * dayMs

/** If too many were never used, the oldest makes room: else whoever registers that many at once would keep out all others for a day. */
export async function registerClient(
  { db, instance, now }: Pick<Services, 'db' | 'instance' | 'now'>,
  registered: ClientMetadata,
): Promise<string> {
  const at = now()
  return db.write(async (tx) => {
    await deleteExpiredClients(tx, at)
    if ((await countUnusedClients(tx, at + unusedMs)) >= maxUnused) await deleteOldestClient(tx)
    const id = newId()
    await insertClient(tx, instance, { id, createdAt: at, expiresAt: at + unusedMs, metadata: registered })
    return id
  })
}

type Finding = Pick<Services, 'db' | 'instance' | 'webhooks' | 'now'>

/** Finds a program by the id that it gives: one that registered here, or the address of its metadata document. */
export async function getClient(services: Finding, userId: string, id: string): Promise<OauthClient> {
  const found = id.startsWith('https://')
    ? await readClientDocument(services, userId, id)
    : await findRegistered(services, id)
  if (found === undefined)
    throw invalid({
      clientId:
        'is not registered here, or no longer. Remove the connection in the program that asks, and add it again',
    })
  return found
}

async function findRegistered({ db, instance, now }: Finding, id: string): Promise<OauthClient | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined
  const registered = await findClientMetadata(db.read, instance, id, now())
  return registered && { id, ...registered, documentHost: undefined }
}

async function readClientDocument({ webhooks }: Finding, userId: string, id: string): Promise<OauthClient> {
  const url = URL.parse(id)
  // As it would be requested, so that one document has one id.
  if (url === null || url.href !== id || url.hash !== '' || url.username !== '' || url.pathname === '/')
    throw invalid({ clientId: 'must be the exact address of a metadata document, with a path' })
  const text = await webhooks.readDocument(userId, id)
  if (text === undefined) throw invalid({ clientId: "the program's metadata document can't be read" })
  return { id, documentHost: url.host, ...readDocument(id, text) }
}

function readDocument(id: string, text: string): ClientMetadata {
  const value = parseDocument(text)
  if ((value as { client_id?: unknown } | null)?.client_id !== id)
    throw invalid({ clientId: "the program's metadata document names another program" })
  const read = readMetadata(value)
  if ('metadata' in read) return read.metadata
  throw invalid({ clientId: `the program's metadata document has a wrong ${read.wrongField}: ${read.problem}` })
}

function parseDocument(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    throw invalid({ clientId: "the program's metadata document is not JSON" })
  }
}
