import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { findNpm } from '../bootstrap-npm.mjs'

export interface Advisory {
  id: string
  name: string
  severity: string
  title: string
  url: string
  /** The versions that have the vulnerability. */
  range: string
}

/** The registry answered, or the reason why it couldn't be asked. */
export type Answer = { advisories: Advisory[] } | { notAsked: string }

interface Report {
  vulnerabilities?: Record<string, { via: (string | Via)[] }>
  message?: string
  error?: { summary?: string; code?: string }
}

interface Via {
  name: string
  severity: string
  title: string
  url: string
  range: string
}

/**
 * Asks the registry about everything in `folder`'s lock file, with npm's own audit: it compares versions and knows the proxy and registry of this
 * machine. `registry` is another one than npm's.
 */
export async function askAdvisories(folder: string, registry?: string): Promise<Answer> {
  const npm = findNpm()
  if (npm === undefined) return { notAsked: 'npm was not found' }
  const flags = ['--json', '--package-lock-only', '--no-update-notifier', '--fetch-retries=0', '--fetch-timeout=20000']
  const from = registry === undefined ? [] : [`--registry=${registry}`]
  const child = spawn(process.execPath, [npm, 'audit', ...flags, ...from], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return readReport(output)
}

function readReport(output: string): Answer {
  let report: Report
  try {
    report = JSON.parse(output) as Report
  } catch {
    return { notAsked: 'npm audit printed no report' }
  }
  const { vulnerabilities, message, error } = report
  if (vulnerabilities === undefined) return { notAsked: reasonOf(message ?? error?.summary ?? error?.code) }
  const found = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one !== 'string'))
  const byUrl = new Map(found.map((one) => [`${one.url} ${one.name}`, one]))
  return { advisories: [...byUrl.values()].map((one) => ({ ...pick(one), id: one.url.split('/').at(-1) ?? one.url })) }
}

const pick = ({ name, severity, title, url, range }: Via) => ({ name, severity, title, url, range })

/** npm's message ends with the address that it asked; only the reason before it matters. */
const reasonOf = (message: string | undefined) => message?.split(' - ')[0] ?? 'no reason given'
