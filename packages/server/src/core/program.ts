import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of this package, as `X-Service-Version` and the command line show it. */
export const version = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
).version

/** How to call the command line from a checkout, for advice that people can copy. */
export const commandLine = 'npm run -s holdfast --'
