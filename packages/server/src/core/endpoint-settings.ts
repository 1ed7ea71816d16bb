import { z } from 'zod'

/** Addresses and keys of other servers, as operators set them. */

export const webUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
export const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'contains characters that are not allowed in a header')

/** An address that the server sends a key to in a header. In the URL, the key would end up in errors and logs. */
export const endpointUrl = webUrl.refine((url) => !holdsCredentials(url), 'must not contain a user name or password')

function holdsCredentials(url: string): boolean {
  const { username = '', password = '' } = URL.parse(url) ?? {}
  return username !== '' || password !== ''
}
