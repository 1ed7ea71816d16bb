/**
 * The body of a response as it arrives, decoded as UTF-8. Throws what `tooLarge` returns once there are more than `maxBytes`. Counts the
 * decompressed bytes, because a Content-Length may be wrong and a small body may expand.
 */
export async function* responseParts(
  response: Response,
  maxBytes: number,
  tooLarge: () => Error,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge()
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

export async function responseText(response: Response, maxBytes: number, tooLarge: () => Error): Promise<string> {
  let text = ''
  for await (const part of responseParts(response, maxBytes, tooLarge)) text += part
  return text
}
