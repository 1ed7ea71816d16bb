import { version } from '../core/program.ts'
import { signBody, signDelivery } from '../crypto/webhook-signature.ts'
import type { PostOutcome } from '../operation/context.ts'
import type { Post } from './post.ts'
import type { Endpoint } from './store.ts'

/** An event to send. The body is the stored text, signed and sent unchanged. */
export interface Outgoing {
  eventId: string
  event: string
  body: string
  attempt: number
}

export function sendEvent(
  post: Post,
  { url, secret, previous }: Endpoint,
  { eventId, event, body, attempt }: Outgoing,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<PostOutcome> {
  const older = previous !== undefined && previous.until > now ? previous.secret : undefined
  const timestamp = Math.floor(now / 1000)
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `Holdfast/${version}`,
    // This header has room for one signature, so it uses the old secret, which the receiver knows, until the rotation ends.
    'X-Service-Signature': signBody(older ?? secret, body),
    'X-Service-Event': event,
    'X-Service-Attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signDelivery(older === undefined ? [secret] : [secret, older], {
      id: eventId,
      timestamp,
      body,
    }),
  }
  return post(url, { headers, body, signal })
}
