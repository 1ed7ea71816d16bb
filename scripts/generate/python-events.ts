import type { JsonSchema } from '../../packages/server/src/api/contracts.ts'
import { describeEvents } from '../../packages/server/src/api/openapi.ts'
import { trialEvent } from '../../packages/server/src/webhooks/event.ts'
import { pascalCase } from './client-types.ts'
import { head, printDocstring, snakeCase } from './python-words.ts'

/** Prints the models of webhook events. The base has the fields that all events share. */
export function printPythonEvents(): string {
  const described = describeEvents().map(({ schema, ...event }) => ({ ...event, properties: schema.properties ?? {} }))
  const shared = Object.entries(described[0]?.properties ?? {}).filter(([field]) =>
    described.every(({ properties }) => field in properties),
  )
  const isOwn = (field: string) => !shared.some(([name]) => name === field)
  const trial = {
    name: trialEvent,
    summary: 'A test event. Its ids refer to nothing.',
    properties: described[0]?.properties ?? {},
  }
  const fields = (listed: readonly (readonly [string, JsonSchema])[]) =>
    listed.map(
      ([field, { description = '', format }]) =>
        `    ${snakeCase(field)}: ${format === 'date-time' ? 'datetime' : 'str'}${description === '' ? '' : `\n${printDocstring([description], '    ')}`}`,
    )
  const typeName = (name: string) => `${pascalCase(name.replace('.', '-'))}Event`
  const events = [...described, trial].map(({ name, summary, properties }) =>
    [
      `class ${typeName(name)}(WebhookEvent):\n${printDocstring([summary], '    ')}\n`,
      ...fields(Object.entries(properties).filter(([field]) => isOwn(field))),
    ].join('\n'),
  )
  return `${head('Events of webhooks.')}
from __future__ import annotations

from datetime import datetime

from .._model import Model, parse_time


class WebhookEvent(Model):
    """An event. Newer servers may send events that have no class of their own."""

${fields(shared).join('\n')}

    _readers = {"timestamp": parse_time}


${events.join('\n\n\n')}


EVENTS: dict[str, type[WebhookEvent]] = {
${[...described, trial].map(({ name }) => `    "${name}": ${typeName(name)},`).join('\n')}
}
`
}
