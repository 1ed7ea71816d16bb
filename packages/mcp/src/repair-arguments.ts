import { asRecord, isRecord } from './message.ts'

/**
 * Prepares the arguments of a tool or prompt for the SDK, which answers anything but an object with a protocol error that models can't
 * read. Null counts as omitted, as in the fields of REST: some languages send it for an empty map. Any other value becomes an argument that
 * no tool has, so the tool answers that.
 */
export function repairArguments<Message>(message: Message): Message {
  const { method, params } = asRecord(message)
  if (method !== 'tools/call' && method !== 'prompts/get') return message
  const { arguments: given, ...others } = asRecord(params)
  if (given === undefined || isRecord(given)) return message
  const repaired = given === null ? others : { ...others, arguments: { 'a value that is not an object': given } }
  return { ...message, params: repaired }
}
