/** What a call was about, as its input or its answer names it. Ids alone, whatever else stands beside them. */

const fields = [
  'memoryId',
  'taskId',
  'noteId',
  'linkId',
  'messageId',
  'webhookId',
  'deliveryId',
  'integrationId',
  'importId',
  'memoryIds',
  'noteIds',
  'messageIds',
  'id',
  'ids',
  'nodeId',
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)

/** Empty where it names none. */
export function recordIdsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const named = value as Readonly<Record<string, unknown>>
  for (const field of fields) {
    const ids = [named[field]].flat().filter(isId)
    if (ids.length > 0) return ids.map((id) => id.toLowerCase())
  }
  // `{ memory: { id, … } }`, as people's operations answer.
  const records = Object.values(named).filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  return records.length === 1 ? recordIdsIn({ id: (records[0] as { id?: unknown }).id }) : []
}
