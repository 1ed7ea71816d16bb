import type { Readable } from 'node:stream'
import { invalid, notJson, tooLarge } from '../core/errors.ts'
import { parseJson, type JsonValue } from '../core/json.ts'

/** Reads a request body that must be JSON, up to the route's limits. An absent body counts as `{}`. */
export async function readJsonBody(
  stream: Readable,
  headers: BodyHeaders,
  limitBytes: number,
  maxCommas?: number,
): Promise<JsonValue> {
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const bytes = await readAll(stream, limitBytes)
  if (bytes.length === 0) return {}
  if (!isJson(headers['content-type'])) throw notJson()
  return parseJson(bytes, maxCommas)
}

interface BodyHeaders {
  'content-length'?: string | undefined
  'content-type'?: string | undefined
}

// By events: a stream's iterator takes 30 µs, and ends the connection before a refusal can be sent.
function readAll(stream: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Whoever left while they were being let in: the events below have been, and would never come.
    if (stream.destroyed) return reject(cutOff())
    const chunks: Buffer[] = []
    let total = 0
    stream.on('data', (chunk: Buffer) => {
      total += chunk.length
      if (total > limitBytes) reject(tooLarge(limitBytes))
      else chunks.push(chunk)
    })
    stream.once('end', () => resolve(Buffer.concat(chunks, total)))
    // The sender went away in the middle; nobody reads the answer, but it is no fault of ours.
    stream.once('error', () => reject(cutOff()))
    stream.once('close', () => {
      // It closes after every body; making an error that nobody sees takes 15 µs.
      if (!stream.readableEnded) reject(cutOff())
    })
  })
}

const cutOff = () => invalid({ '': 'the body was cut off' })

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? '')
