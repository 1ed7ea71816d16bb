import type { Readable } from 'node:stream'
import { invalid, notJson, ServiceError, tooLarge } from '../core/errors.ts'
import { parseJson, type JsonValue } from '../core/json.ts'

/** Reads a request body that must be JSON, up to the route's limit. An absent body counts as `{}`. */
export async function readJsonBody(stream: Readable, headers: BodyHeaders, limitBytes: number): Promise<JsonValue> {
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const bytes = await readAll(stream, limitBytes)
  if (bytes.length === 0) return {}
  if (!isJson(headers['content-type'])) throw notJson()
  return parseJson(bytes)
}

interface BodyHeaders {
  'content-length'?: string | undefined
  'content-type'?: string | undefined
}

async function readAll(stream: Readable, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > limitBytes) throw tooLarge(limitBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    // The sender went away in the middle; nobody reads the answer, but it is no fault of ours.
    throw error instanceof ServiceError ? error : invalid({ '': 'the body was cut off' })
  }
  return Buffer.concat(chunks, total)
}

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? '')
