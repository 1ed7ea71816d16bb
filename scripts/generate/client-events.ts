import type { JsonSchema } from '../../packages/server/src/api/contracts.ts'
import { describeEvents } from '../../packages/server/src/api/openapi.ts'
import { trialEvent } from '../../packages/server/src/webhooks/event.ts'
import { declare, pascalCase } from './client-types.ts'

/** Prints the types of webhook events: the documented ones, and the test event, which has the fields that all events share. */
export function printClientEvents(): string {
  const events = describeEvents()
  const trial = { name: trialEvent, summary: 'A test event. Its ids refer to nothing.', schema: trialSchema(events) }
  const typeName = (name: string) => `${pascalCase(name.replace('.', '-'))}Event`
  return `// Written by \`npm run generate\` from the events of webhooks; do not edit.

${[...events, trial].map(({ name, summary, schema }) => declare(typeName(name), schema, summary)).join('\n\n')}

/** Distinguished by \`event\`. */
export type WebhookEvent = ${[...events, trial].map(({ name }) => typeName(name)).join(' | ')}
`
}

/** It looks like an event about a message. */
function trialSchema(events: readonly { name: string; schema: JsonSchema }[]): JsonSchema {
  const all = events.filter(({ name }) => name.startsWith('message.')).map(({ schema }) => schema.properties ?? {})
  const common = Object.entries(all[0] ?? {}).filter(([name]) => all.every((properties) => name in properties))
  const properties = { ...Object.fromEntries(common), event: { const: trialEvent } }
  return { type: 'object', required: Object.keys(properties), properties }
}
