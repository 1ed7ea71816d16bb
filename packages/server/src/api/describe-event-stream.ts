import { changeTypes } from '../calls/change-types.ts'

export const eventsPath = '/api/events'

/** The one route whose answer does not end, in the words of the document of those that do. */
export const describeEventStream = (): Record<string, unknown> => ({
  operationId: 'listen-to-events',
  tags: ['person'],
  summary:
    'What changes in your vaults, as it happens: which types of records in which vault, and never what is in them.',
  description: `Server-sent events. \`event: changed\` has the data \`{ "vaultId", "types" }\`; \`vaultId\` is null for what lies in no vault.
What changes within a second is told together. After a pause, \`Last-Event-ID\` or \`after\` brings what was missed of the last five minutes, or
\`event: missed\` where nobody knows it any more: then everything may have changed. A comment comes every 15 seconds. The stream ends
with the session. At most 8 for one person.`,
  security: [{ session: [] }, { dashboardToken: [] }, { operatorToken: [] }],
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: '`id` of the event that was heard last; browsers send it by themselves.',
      schema: { type: 'string' },
    },
    {
      name: 'after',
      in: 'query',
      required: false,
      description: 'The same for whoever has heard nothing yet: `newsId` of the session. The header comes first.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    '200': {
      description: 'The stream',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
      content: {
        'text/event-stream': {
          schema: { type: 'string', description: `Types: ${changeTypes.join(', ')}.` },
          example: `id: 5f2d9c01-7\nevent: changed\ndata: {"vaultId":"0198c5f0-0000-7000-8000-000000000001","types":["memories"]}\n\n`,
        },
      },
    },
    ...Object.fromEntries(
      ['401', '403', '429', '500', '503'].map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
    ),
  },
})
