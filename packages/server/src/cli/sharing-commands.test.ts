import { describe, expect, it } from 'vitest'
import { holdfast, json, makePlace, password, serve, setUp } from './testing/run-holdfast.ts'
import { acceptInvitation, statusOf } from './testing/share-vault.ts'

describe('the commands that share vaults', () => {
  it('invite, list, change, remove and let people leave', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const { vaultId } = await setUp(place)
    const grace = 'grace@example.org'
    const { dashboardToken } = await json(place, ['users', 'add', '--email', grace, '--password-stdin'], password)
    const share = (role: string) => json(place, ['vaults', 'share', 'Main', '--with', grace, '--role', role])
    const read = () => statusOf(url, dashboardToken, `/api/memories?vaultId=${String(vaultId)}`)
    expect(await share('viewer')).toEqual({ vaultId, email: grace, role: 'viewer', invited: true })
    expect(await json(place, ['vaults', 'remove', 'Main', '--member', grace])).toEqual({ vaultId, deleted: true })
    await share('viewer')
    const { invitations } = await json(place, ['vaults', 'members', 'Main'])
    const [invitation] = invitations as { id: string }[]
    const byId = ['vaults', 'remove', 'Main', '--member', invitation?.id ?? '']
    expect(await json(place, byId)).toEqual({ vaultId, deleted: true })
    await share('viewer')
    expect((await holdfast(place, ['vaults', 'members', 'Main'])).stdout).toBe(
      '  ada@example.org  owner\n  grace@example.org  invited as viewer\n',
    )
    await acceptInvitation(url, dashboardToken)
    expect(await share('editor')).toMatchObject({ role: 'editor', invited: false })
    expect(await json(place, ['vaults', 'members', String(vaultId)])).toMatchObject({
      members: [
        { email: 'ada@example.org', role: 'owner' },
        { email: grace, role: 'editor' },
      ],
      invitations: [],
    })
    expect((await holdfast(place, ['vaults', 'list'])).stdout).toMatch(/ {2}Main \(default\) {2}.* {2}shared with 1\n/)
    expect((await holdfast(place, ['vaults', 'list', '--email', grace])).stdout).toMatch(
      / {2}Main {2}.* {2}shared by ada@example\.org as editor\n/,
    )
    expect(await read()).toBe(200)
    // Her own vault has the same name, so the id says which one.
    const leave = ['vaults', 'leave', String(vaultId), '--email', grace]
    expect((await holdfast(place, leave)).stdout).toBe('grace@example.org left the vault.\n')
    expect([(await holdfast(place, leave)).code, await read()]).toEqual([4, 404])
    const gone = await holdfast(place, ['vaults', 'remove', 'Main', '--member', grace])
    expect(gone).toMatchObject({ code: 4, stderr: 'No member and no invitation grace@example.org.\n' })
  })

  it('let the invited person accept or decline', async () => {
    const place = await makePlace()
    await serve(place)
    const { vaultId } = await setUp(place)
    const asGrace = ['--email', 'grace@example.org']
    await json(place, ['users', 'add', ...asGrace, '--password-stdin'], password)
    const invite = () => json(place, ['vaults', 'share', 'Main', '--with', 'grace@example.org', '--role', 'editor'])
    const list = async () => (await holdfast(place, ['vaults', 'list', ...asGrace])).stdout
    await invite()
    expect(await list()).toContain(`  ${String(vaultId)}  Main  invited as editor by ada@example.org\n`)
    expect((await holdfast(place, ['vaults', 'decline', 'Main', ...asGrace])).stdout).toBe(
      'Declined the invitation to Main.\n',
    )
    expect(await list()).not.toContain('invited')
    const accept = ['vaults', 'accept', 'Main', ...asGrace]
    const stderr = expect.stringContaining('No invitation to the vault Main.')
    expect(await holdfast(place, accept)).toMatchObject({ code: 4, stderr })
    await invite()
    expect((await holdfast(place, accept)).stdout).toBe('You are editor of Main now.\n')
    expect(await holdfast(place, accept)).toMatchObject({ code: 4, stderr })
    expect(await list()).toMatch(/ {2}Main {2}.* {2}shared by ada@example\.org as editor\n/)
  })

  it('let no viewer invite others', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const { vaultId } = await setUp(place)
    const grace = ['--email', 'grace@example.org']
    const { dashboardToken } = await json(place, ['users', 'add', ...grace, '--password-stdin'], password)
    await json(place, ['vaults', 'share', 'Main', '--with', 'grace@example.org'])
    await acceptInvitation(url, dashboardToken)
    const invite = ['vaults', 'share', String(vaultId), '--with', 'carl@example.org', ...grace]
    expect(await holdfast(place, invite)).toMatchObject({ code: 3, stderr: expect.stringContaining('"viewer"') })
  })
})
