import type { z } from 'zod'
import type { statusRecord } from '../../machine/read-status.ts'
import type { Config } from '../../config.ts'
import { failed, type Finding, ok, warning } from '../../core/finding.ts'
import { commandLineHere, dataDirOption, version } from '../../core/program.ts'
import { checkRootKey } from '../../instance/check-files.ts'

/** Checks what the server reports about itself and whether clients can reach it. */

type Status = z.output<typeof statusRecord>

export const checkStatus = (status: Status): Finding[] => [
  checkVersion(status),
  checkRootKey(
    status.rootKeyOrigin,
    { since: Date.parse(status.rootKeySince), state: status.rootKeyState },
    dataDirOption(status.dataDir),
  ),
  checkSetUp(status),
]

function checkVersion(status: Status): Finding {
  return status.version === version
    ? ok('version', `${version}, ${status.dialect}, schema up to date`)
    : warning(
        'version',
        `The server has version ${status.version}, this command line ${version}.`,
        'Restart the server after an upgrade, or use the command line from its checkout.',
      )
}

const checkSetUp = ({ isSetUp, dataDir }: Status): Finding =>
  isSetUp
    ? ok('owner', 'set up')
    : failed(
        'owner',
        'This instance has no owner yet.',
        `${commandLineHere} setup --email you@example.org${dataDirOption(dataDir)}`,
      )

const waitMs = 5000
const maxSkewMs = 60_000

/** Whether a server answers, and whether its clock is right. */
export async function checkReach(check: string, url: string, fix: string): Promise<Finding[]> {
  try {
    const response = await fetch(`${base(url)}/healthz`, { signal: AbortSignal.timeout(waitMs), redirect: 'error' })
    const body = (await response.json().catch(() => ({}))) as { status?: unknown }
    if (!response.ok || body.status !== 'ok')
      return [failed(check, `${url} answers, but is not a Holdfast server (status ${response.status}).`, fix)]
    const skewMs = Date.now() - Date.parse(response.headers.get('date') ?? '')
    const clock =
      Math.abs(skewMs) > maxSkewMs
        ? [
            failed(
              'clock',
              `The clocks of ${url} and this machine differ by ${Math.round(Math.abs(skewMs) / 1000)} s.`,
              'Synchronize both with a time server: keys expire by these clocks.',
            ),
          ]
        : []
    return [ok(check, `${url} answers`), ...clock]
  } catch {
    return [failed(check, `${url} does not answer.`, fix)]
  }
}

/** Calls the URL with a key of this instance. If the key is accepted, the URL leads to this instance and headers get through. */
export async function checkSameInstance(
  url: string,
  key: string,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<Finding> {
  const name = url === publicUrl ? 'HOLDFAST_PUBLIC_URL' : 'HOLDFAST_URL'
  const check = url === publicUrl ? 'public address' : 'address'
  const status = await statusOf(url, key)
  if (status === 200) return ok(check, `${url} is this instance, and keys get through`)
  if (status === 401)
    return failed(
      check,
      `${url} refused a new key of this instance: it is another instance, or a proxy drops the Authorization header.`,
      `Set ${name} to this instance, and configure the proxy to forward Authorization.`,
    )
  return failed(check, `${url} answers a call with status ${status}.`, `Check ${name} and how the proxy handles /api.`)
}

async function statusOf(url: string, key: string): Promise<number> {
  try {
    const headers = { Authorization: `Bearer ${key}` }
    const { status } = await fetch(`${base(url)}/api/agent/info`, {
      headers,
      signal: AbortSignal.timeout(waitMs),
      redirect: 'error',
    })
    return status
  } catch {
    return 0
  }
}

const clientInfo = { name: 'holdfast-doctor', version }
const requests = {
  initialize: { headers: {}, params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  'server/discover': {
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' },
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
} as const

/** Tries the first request of the 2026 protocol and of the 2025 one. */
export async function checkMcp(url: string, key: string): Promise<Finding> {
  for (const method of ['server/discover', 'initialize'] as const) {
    const problem = await askMcp(url, key, method)
    if (problem !== undefined)
      return failed(
        'mcp',
        `${base(url)}/mcp does not answer ${method} (${problem}).`,
        'Restart the server after an upgrade. A proxy must forward /mcp with its headers and event streams.',
      )
  }
  return ok('mcp', `${base(url)}/mcp answers server/discover and initialize`)
}

async function askMcp(url: string, key: string, method: keyof typeof requests): Promise<string | undefined> {
  const { headers, params } = requests[method]
  try {
    const response = await fetch(`${base(url)}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(waitMs),
    })
    const text = await response.text()
    if (!response.ok) return `status ${response.status}`
    return /"result"\s*:/.test(text) ? undefined : 'no result'
  } catch {
    return 'no answer'
  }
}

const base = (url: string) => url.replace(/\/+$/, '')
