import { api } from './v04-api.ts'
import { authentication } from './v06-authentication.ts'
import { authorization } from './v08-authorization.ts'
import { communication } from './v12-communication.ts'
import { configuration } from './v13-configuration.ts'
import { cryptography } from './v11-cryptography.ts'
import { dataProtection } from './v14-data-protection.ts'
import { encoding } from './v01-encoding.ts'
import { files } from './v05-files.ts'
import { logging } from './v16-logging.ts'
import { oauth } from './v10-oauth.ts'
import { secureCoding } from './v15-secure-coding.ts'
import { selfContainedTokens } from './v09-self-contained-tokens.ts'
import { sessionManagement } from './v07-sessions.ts'
import { validation } from './v02-validation.ts'
import { webFrontend } from './v03-web.ts'
import { webRtc } from './v17-webrtc.ts'

/**
 * How Holdfast answers each requirement of levels 1 and 2 of OWASP ASVS 5.0.0 (May 2025). Names are ours; the standard has the exact texts.
 * `npm run generate` prints docs/asvs.md from it.
 */
export const asvs = [
  encoding,
  validation,
  webFrontend,
  api,
  files,
  authentication,
  sessionManagement,
  authorization,
  selfContainedTokens,
  oauth,
  cryptography,
  communication,
  configuration,
  dataProtection,
  secureCoding,
  logging,
  webRtc,
] as const
