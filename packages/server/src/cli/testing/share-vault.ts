/** What people do with shared vaults in the dashboard, over HTTP. */

const headersOf = (token: unknown) => ({
  Authorization: `Bearer ${String(token)}`,
  'Content-Type': 'application/json',
})

/** Accepts the only invitation of the person with this dashboard token. */
export async function acceptInvitation(url: string, token: unknown): Promise<void> {
  const listed = await fetch(`${url}/api/vaults`, { headers: headersOf(token) })
  const { invitations } = (await listed.json()) as { invitations: [{ id: string }] }
  const body = { id: invitations[0].id, accept: true }
  const status = await statusOf(url, token, '/api/vaults/invitations/decide', body)
  if (status !== 200) throw new Error(`The invitation was not accepted: ${status}`)
}

/** `body`: sent with POST. Without one, it is a GET. */
export async function statusOf(url: string, token: unknown, path: string, body?: object): Promise<number> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await fetch(url + path, { headers: headersOf(token), ...sent })).status
}
