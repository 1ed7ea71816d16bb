import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of this package, as `X-Service-Version` and the command line show it. */
export const version = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
).version

/** How to call the command line from a checkout, for advice that people can copy. */
export const commandLine = 'npm run -s holdfast --'

/** The result of one check. `fix` says how to solve the problem, often as a command to copy. It never contains a secret. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  text: string
  fix?: string
}

export const ok = (check: string, text: string): Finding => ({ check, status: 'ok', text })
export const warning = (check: string, text: string, fix: string): Finding => ({ check, status: 'warning', text, fix })
export const failed = (check: string, text: string, fix: string): Finding => ({ check, status: 'failed', text, fix })
