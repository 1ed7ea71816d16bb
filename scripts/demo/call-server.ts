/** Calls an operation of the demo server, as its owner or an agent. */
export type Ask = (
  key: string,
  method: 'POST' | 'PATCH' | 'GET',
  path: string,
  body: object,
) => Promise<Record<string, unknown>>

export const askAt =
  (url: string): Ask =>
  async (key, method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key !== '' && { Authorization: `Bearer ${key}` }),
        ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
      },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
