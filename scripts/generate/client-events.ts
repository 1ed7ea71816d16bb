import type { JsonSchema } from '../../packages/server/src/api/contract-schemas.ts'
import { describeEvents } from '../../packages/server/src/api/describe-events.ts'
import { trialEvent } from '../../packages/server/src/webhooks/event.ts'
import { declare, pascalCase } from './client-types.ts'

interface Described {
  post: { summary: string; requestBody: { content: { 'application/json': { schema: JsonSchema } } } }
}

/** What receivers of webhooks get: the document's events, and the one that a trial sends, which has the fields that all have. */
export function printClientEvents(): string {
  const described = Object.entries(describeEvents() as Record<string, Described>)
  const events = described.map(([name, { post }]) => ({
    name,
    summary: post.summary,
    schema: post.requestBody.content['application/json'].schema,
  }))
  const trial = { name: trialEvent, summary: 'A trial; its ids are of nothing.', schema: trialSchema(events) }
  const typeOf = (name: string) => `${pascalCase(name.replace('.', '-'))}Event`
  return `// Written by \`npm run generate\` from the events of webhooks; do not edit.

${[...events, trial].map(({ name, summary, schema }) => declare(typeOf(name), schema, summary)).join('\n\n')}

/** Told apart by \`event\`. */
export type WebhookEvent = ${[...events, trial].map(({ name }) => typeOf(name)).join(' | ')}
`
}

function trialSchema(events: readonly { schema: JsonSchema }[]): JsonSchema {
  const all = events.map(({ schema }) => schema.properties ?? {})
  const common = Object.entries(all[0] ?? {}).filter(([name]) => all.every((properties) => name in properties))
  const properties = { ...Object.fromEntries(common), event: { const: trialEvent } }
  return { type: 'object', required: Object.keys(properties), properties }
}
