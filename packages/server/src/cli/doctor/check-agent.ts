import { AuthenticationError, HoldfastError, NotFoundError, type Client } from '@holdfast/client'
import { failed, type Finding, ok, warning } from '../../core/finding.ts'
import { commandLineHere } from '../../core/program.ts'
import { type AgentSettings, clientFor } from '../agent-client.ts'
import { CommandError } from '../exit-codes.ts'
import type { ListedKey } from '../key-commands.ts'

/** Checks what an agent started here would use: its key and its vault. */

const soonDays = 14
/** `instance`: options that name the data folder, if it isn't the default. */
const newKeyFor = (instance: string) =>
  `${commandLineHere} keys create --label "…"${instance}, then export HOLDFAST_KEY.`

/** `keys`: the owner's keys, if the server is this instance. They tell when the key expires. */
export async function checkAgent(
  { url, key, vault }: AgentSettings,
  keys: readonly ListedKey[],
  { now, instance }: { now: number; instance: string },
): Promise<Finding[]> {
  const newKey = newKeyFor(instance)
  if (key === undefined) return [ok('agent key', 'HOLDFAST_KEY is not set here, so there is nothing to check')]
  try {
    const client = clientFor({ url, key, timeoutMs: 5000, maxRetries: 0 })
    const { label, scopes } = await client.info()
    const rights = `"${label}" may ${scopes.join(', ')}`
    const days = daysLeft(key, keys, now)
    const found = [
      days === undefined || days > soonDays
        ? ok('agent key', rights)
        : warning('agent key', `HOLDFAST_KEY expires in ${days === 1 ? '1 day' : `${days} days`}.`, newKey),
    ]
    return vault === undefined ? found : [...found, await checkVault(client, vault)]
  } catch (error) {
    if (error instanceof AuthenticationError)
      return [failed('agent key', `${url} refuses HOLDFAST_KEY: it is unknown, expired or revoked.`, newKey)]
    if (error instanceof HoldfastError)
      return [
        failed('agent key', `The key could not be checked: ${error.message}`, `Check that ${url} is the right server.`),
      ]
    if (error instanceof CommandError) return [failed('agent key', error.message, newKey)]
    throw error
  }
}

function daysLeft(key: string, keys: readonly ListedKey[], now: number): number | undefined {
  const [mine, ...others] = keys.filter(({ last4, state }) => state === 'valid' && key.endsWith(last4))
  if (mine?.expiresAt == null || others.length > 0) return undefined
  return Math.ceil((Date.parse(mine.expiresAt) - now) / 86_400_000)
}

async function checkVault(client: Client, vault: string): Promise<Finding> {
  try {
    await client.vaultIdOf(vault)
    return ok('project vault', vault)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    return failed(
      'project vault',
      `.holdfast.json names the vault ${vault}, which this key cannot access.`,
      `Choose another vault with ${commandLineHere} link <vault>, create this one, or give the key access to it.`,
    )
  }
}
