import { eventNames, type EventName } from '../webhooks/event.ts'

/** What subscribers are sent, as the document's `webhooks`. Held to the code by the tests of delivery. */
export const describeEvents = (): Record<string, unknown> =>
  Object.fromEntries(eventNames.map((name) => [name, { post: describeEvent(name) }]))

const summaries: Record<EventName, string> = {
  'message.created': 'A message was sent.',
  'message.acknowledged': 'A message was acknowledged by one of its addressees.',
}

const text = (description: string) => ({ type: 'string', description })
const id = (description: string) => ({ ...text(description), format: 'uuid' })

function describeEvent(name: EventName): Record<string, unknown> {
  const acknowledgedBy = name === 'message.acknowledged'
  const properties = {
    event: { const: name },
    messageId: id('The message; its content is read with a key.'),
    userId: id('Whose message it is.'),
    timestamp: { ...text('When it happened.'), format: 'date-time' },
    ...(acknowledgedBy && { acknowledgedBy: text('Who acknowledged it, as claimed.') }),
  }
  return {
    operationId: name,
    tags: ['person'],
    // No credential: what says who sent it is the signature.
    security: [],
    summary: summaries[name],
    description: 'Sent at least once and in no promised order; the same `webhook-id` means the same event.',
    parameters: Object.entries(headers).map(([header, description]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
    },
    responses: {
      '2XX': { description: 'Taken. Anything else, a redirect too, is tried again.' },
    },
  }
}

const headers = {
  'X-Service-Signature': '`sha256=` and the HMAC-SHA256 of the body, keyed with the whole secret.',
  'X-Service-Event': 'The name of the event.',
  'X-Service-Attempt': '1 for the first attempt.',
  'webhook-id': 'Names the event; the same at each attempt.',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
  'webhook-signature': 'The signature of Standard Webhooks; several after a rotation, separated by spaces.',
}
