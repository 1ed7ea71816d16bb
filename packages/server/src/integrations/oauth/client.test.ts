import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'
import { getClient } from './client.ts'

const id = 'https://claude.example/oauth/client.json'
const document = { client_id: id, client_name: 'Claude', redirect_uris: ['https://claude.example/callback'] }

/** Documents are read over TLS from public addresses only, so the reading itself is replaced by its result. */
describe('a program that is known by its metadata document', () => {
  const test = useTestApp()
  const find = (text: string | undefined, asked = id) => {
    const { services } = test().app
    const webhooks = { ...services.webhooks, readDocument: async () => text }
    return getClient({ ...services, webhooks }, 'someone', asked)
  }

  it('is what the document says, with the host of the document', async () => {
    expect(await find(JSON.stringify(document))).toEqual({
      id,
      name: 'Claude',
      redirectUris: ['https://claude.example/callback'],
      documentHost: 'claude.example',
    })
  })

  it.each([
    ['there is none', undefined],
    ['it is not JSON', '<html>'],
    ['it is not an object', 'null'],
    ['it names another program', JSON.stringify({ ...document, client_id: `${id}/` })],
    ['it names no address', JSON.stringify({ ...document, redirect_uris: [] })],
    ['its name imitates the person', JSON.stringify({ ...document, client_name: 'The Person' })],
    ['it wants a script', JSON.stringify({ ...document, redirect_uris: ['javascript:alert(1)'] })],
  ])('is refused if %s', async (_what, text) => {
    await expect(find(text)).rejects.toMatchObject({ code: 'invalid', fields: { clientId: expect.any(String) } })
  })

  it.each([
    'https://claude.example',
    'https://claude.example/',
    'https://CLAUDE.example/client',
    'https://claude.example/a/../client',
    'https://claude.example/client#one',
    'https://user:pass@claude.example/client',
  ])('is not asked for at %s, because one document has one address', async (asked) => {
    await expect(find(JSON.stringify({ ...document, client_id: asked }), asked)).rejects.toMatchObject({
      fields: { clientId: 'must be the exact address of a metadata document, with a path' },
    })
  })
})
