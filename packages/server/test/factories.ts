import { createAccount } from '../src/machine/create-user.ts'
import { issueSession, type SessionSecrets } from '../src/accounts/credential-store.ts'
import { insertPasskey } from '../src/sign-in/passkey-store.ts'
import type { Preset } from '../src/auth/vault-access.ts'
import type { WritePolicy } from '../src/auth/write-policy.ts'
import { findUserActor } from '../src/auth/store.ts'
import { newId } from '../src/core/ids.ts'
import { createIntegration } from '../src/integrations/integration.ts'
import { issueAgentKey, revokeAgentKey } from '../src/integrations/key-store.ts'
import type { MemberRole } from '../src/auth/vault-roles.ts'
import { insertInvitation, insertMember } from '../src/vaults/member-store.ts'
import { createVault, type VaultOwner } from '../src/vaults/vault.ts'
import { insertDeliveries } from '../src/webhooks/outbox-store.ts'
import { eventNames, type EventName } from '../src/webhooks/event.ts'
import { insertWebhook, type Filters } from '../src/webhooks/store.ts'
import { ensurePrivateScope } from '../src/auth/private-scope-store.ts'
import { newWebhookSecret } from '../src/crypto/webhook-signature.ts'
import type { TestApp as WholeTestApp } from './app.ts'

/** Creates test data with the functions that create it in the product. Everything can be overridden. */

/** Anything with an app, tests or not. */
type TestApp = Pick<WholeTestApp, 'app'>

export interface TestUser extends VaultOwner {
  email: string
  /** The default vault. */
  vaultId: string
  dashboardToken: string
}

/** Longer than tests move their clocks. */
export const longTokenMs = 10 * 365 * 86_400_000

/** Of random bytes that were not kept, at argon2id's lowest cost. */
const lostPasswordHash = '$argon2id$v=19$m=8,t=1,p=1$SItC3el+WtV3uF0L/ntTUA$zWOPeOHNRQBpevpHx+a1guYlLZMFoJE0JWL+VPx8ZYc'

export interface UserOverrides {
  isOwner?: boolean
  /** Default: no one knows the password, because hashing one would take most of the test's time. */
  passwordHash?: string
}

/** A person with a default vault. */
export async function makeUser(
  { app }: TestApp,
  { isOwner = false, passwordHash = lostPasswordHash }: UserOverrides = {},
): Promise<TestUser> {
  const { db, keyring } = app.services
  const email = `${newId()}@example.org`
  const account = { email, passwordHash, isOwner, vaultName: 'Main', tokenMs: longTokenMs }
  const created = await db.write((tx) => createAccount(tx, app.services, account))
  const actor = created && (await findUserActor(db.read, created.userId))
  if (created === undefined || actor === undefined) throw new Error('the user was not made')
  return { ...created, email, mek: keyring.mek(actor) }
}

export function makeVault({ app }: TestApp, user: TestUser, name = 'Second'): Promise<string> {
  const { db, keyring, now } = app.services
  const vault = { profile: { name, description: undefined }, isDefault: false, at: now() }
  return db.write((tx) => createVault(tx, keyring, user, vault))
}

export interface IntegrationOverrides {
  label?: string
  agentId?: string
  agentType?: string
  preset?: Preset
  restrictToVault?: boolean
  vaults?: { vaultId: string; preset?: Preset }[]
  /** Default: the user's default vault. Null: none. */
  primaryVaultId?: string | null
  isActive?: boolean
  /** Default: it may change everything, unlike an integration that a person creates. */
  writePolicy?: WritePolicy
  /** As if its encryption had never been set up. */
  withoutWrap?: boolean
}

export async function makeIntegration(
  { app }: TestApp,
  user: TestUser,
  over: IntegrationOverrides = {},
): Promise<string> {
  const { db } = app.services
  const { id } = await db.write((tx) =>
    createIntegration(tx, app.services, user.userId, {
      profile: {
        label: over.label ?? 'Test agent',
        agentType: over.agentType,
        agentId: over.agentId,
        writePolicy: over.writePolicy ?? { persons: 'yes', agents: 'yes' },
      },
      preset: over.preset ?? 'read_write',
      restrictToVault: over.restrictToVault ?? false,
      grants: (over.vaults ?? []).map(({ vaultId, preset }) => ({ vaultId, preset })),
      primaryVaultId: over.primaryVaultId === undefined ? user.vaultId : (over.primaryVaultId ?? undefined),
      isActive: over.isActive ?? true,
    }),
  )
  if (over.withoutWrap === true)
    await db.write((tx) => tx.updateTable('integrations').set({ wrappedMek: null }).where('id', '=', id).execute())
  return id
}

export interface KeyOverrides {
  expiresAt?: number
  isRevoked?: boolean
  /** The legacy restriction of a key to one vault. */
  vaultId?: string
}

export async function makeAgentKey(
  { app }: TestApp,
  { userId }: TestUser,
  integrationId: string,
  { expiresAt, isRevoked = false, vaultId }: KeyOverrides = {},
): Promise<string> {
  const { db, instance, now } = app.services
  const { key, agentKey } = await db.write((tx) =>
    issueAgentKey(tx, instance, { userId, integrationId, label: undefined, expiresAt, at: now() }),
  )
  if (isRevoked) await db.write((tx) => revokeAgentKey(tx, userId, key.id, now()))
  if (vaultId !== undefined)
    await db.write((tx) => tx.updateTable('agentKeys').set({ vaultId }).where('id', '=', key.id).execute())
  return agentKey
}

/** An integration with one key: the usual way to call. */
export async function makeAgent(
  test: TestApp,
  user: TestUser,
  over: IntegrationOverrides & { key?: KeyOverrides } = {},
): Promise<string> {
  return makeAgentKey(test, user, await makeIntegration(test, user, over), over.key)
}

/** A person with one agent. */
export async function makeUserWithAgent(
  test: TestApp,
  over: IntegrationOverrides = {},
): Promise<TestUser & { key: string }> {
  const user = await makeUser(test)
  return { ...user, key: await makeAgent(test, user, over) }
}

/** A signed-in browser. */
export function openSession({ app }: TestApp, user: TestUser): Promise<SessionSecrets> {
  const { db, keyring, now } = app.services
  return db.write(async (tx) => {
    const keys = await ensurePrivateScope(tx, keyring, user, now())
    const client = { browser: 'Firefox on Linux', origin: 'machine' } as const
    return issueSession(tx, keys, { userId: user.userId, client, at: now() })
  })
}

/** The id of a person's first session, whose cookie no one has. */
export async function makeSession(test: TestApp, user: TestUser): Promise<string> {
  await openSession(test, user)
  const { db } = test.app.services
  const { userId } = user
  const sessions = db.read.selectFrom('dashboardCredentials').select('id').where('userId', '=', userId)
  return (await sessions.where('kind', '=', 'session').executeTakeFirstOrThrow()).id
}

/** Without a device: it cannot sign in. */
export async function makePasskey({ app }: TestApp, user: TestUser): Promise<string> {
  const { db, instance, keyring, now } = app.services
  const { userId } = user
  const id = newId()
  const credential = { id: Buffer.from(newId()).toString('base64url'), publicKey: 'AA', transports: [] }
  await db.write(async (tx) => {
    const keys = await ensurePrivateScope(tx, keyring, user, now())
    await insertPasskey(tx, instance, keys, { userId, id, name: 'Laptop', credential, counter: 0, at: now() })
  })
  return id
}

/** Makes someone a member of the user's default vault, as if they had accepted an invitation. */
export async function makeMember({ app }: TestApp, owner: TestUser, memberId: string, role: MemberRole): Promise<void> {
  const { db, now } = app.services
  await db.write((tx) => insertMember(tx, owner, { memberId, role, joinedAt: now() }))
}

/** Invites a person to the user's default vault, and returns the id of the invitation. */
export async function makeInvitation(
  { app }: TestApp,
  { userId, vaultId }: TestUser,
  { userId: invitedId, email }: TestUser,
  role: MemberRole = 'editor',
): Promise<string> {
  const { db, instance, now } = app.services
  const id = newId()
  const invitation = { userId, vaultId, id, invitedId, role, invitedBy: userId, invitedAt: now(), email }
  await db.write((tx) => insertInvitation(tx, instance, invitation))
  return id
}

/** An inactive subscription with one queued delivery, so a test that needs one sends nothing. */
export async function makeWebhook(
  { app }: TestApp,
  user: TestUser,
): Promise<{ webhookId: string; deliveryId: string }> {
  const { db, keyring, now } = app.services
  const { userId } = user
  const [webhookId, deliveryId] = [newId(), newId()]
  const endpoint = { url: 'https://hooks.example.org', secret: newWebhookSecret(), previous: undefined }
  const webhook = { id: webhookId, userId, endpoint, vaultId: undefined, filters: noFilters, isActive: false }
  const event = { eventId: newId(), vaultId: undefined, event: 'message.created', recordId: newId(), body: '{}' }
  await db.write(async (tx) => {
    const keys = await ensurePrivateScope(tx, keyring, user, now())
    await insertWebhook(tx, keys, { ...webhook, events: ['message.created'] }, now())
    await insertDeliveries(tx, [{ id: deliveryId, webhookId, ...event, userId, at: now() }])
  })
  return { webhookId, deliveryId }
}

const noFilters = { category: undefined, memoryTypes: undefined, minPriority: undefined, targetId: undefined }

/** Subscribes to every event of one vault or all, by default held back so that nothing is sent. Returns a function that lists what was queued since. */
export async function watchRecords(
  { app }: TestApp,
  user: TestUser,
  over: { vaultId?: string; events?: EventName[]; filters?: Partial<Filters>; heldUntil?: null } = {},
): Promise<() => Promise<{ event: string; recordId: string; body: string }[]>> {
  const { db, keyring, now } = app.services
  const [id, { userId }] = [newId(), user]
  const endpoint = { url: 'https://hooks.example.org', secret: newWebhookSecret(), previous: undefined }
  const webhook = {
    id,
    userId,
    endpoint,
    vaultId: over.vaultId,
    isActive: true,
    events: over.events ?? [...eventNames],
    filters: { ...noFilters, ...over.filters },
  }
  await db.write(async (tx) => {
    const keys = await ensurePrivateScope(tx, keyring, user, now())
    await insertWebhook(tx, keys, webhook, now())
    await tx
      .updateTable('webhooks')
      .set({ heldUntil: over.heldUntil === undefined ? 2 ** 52 : over.heldUntil })
      .where('id', '=', id)
      .execute()
  })
  return () =>
    db.read
      .selectFrom('webhookDeliveries')
      .select(['event', 'recordId', 'body'])
      .where('webhookId', '=', id)
      .orderBy('id')
      .execute()
}
