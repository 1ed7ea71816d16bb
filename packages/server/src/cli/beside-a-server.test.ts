import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { holdfast, infoOf, json, makePlace, password, serve, setUp, start } from './testing/run-holdfast.ts'

// Windows has no such file modes.
const ownerOnly = process.platform === 'win32' ? 0o666 : 0o600

describe('the command line with a server', () => {
  it('works through the server, with immediate effect', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const { agentKey } = await setUp(place)
    expect(await infoOf(url, agentKey)).toBe(200)
    const made = await json(place, ['keys', 'create', '--label', 'Desk'])
    expect(await infoOf(url, made.agentKey)).toBe(200)
    await json(place, ['keys', 'revoke', String(made.keyId)])
    expect(await infoOf(url, made.agentKey)).toBe(401)
    const grace = ['users', 'add', '--email', 'grace@example.org', '--password-stdin']
    await json(place, grace, password)
    const hers = await json(place, ['keys', 'create', '--label', 'Hers', '--email', 'grace@example.org'])
    expect(await infoOf(url, hers.agentKey)).toBe(200)
    expect((await holdfast(place, grace, password)).code).toBe(2)
    expect((await holdfast(place, ['setup', '--email', 'a@example.org', '--password-stdin'], password)).code).toBe(3)
    const elsewhere = await makePlace()
    const far = ['status', '--url', url, '--data-dir', place.dataDir]
    expect(await json(elsewhere, far)).toMatchObject({ users: 2, dataDir: place.dataDir })
    const stranger = { ...elsewhere, env: { ...elsewhere.env, HOLDFAST_OPERATOR_TOKEN: 'hfo_x' } }
    expect((await holdfast(stranger, ['status', '--url', url])).code).toBe(3)
  })

  it('works through the server in the environment, unless a data folder is given', async () => {
    const [place, elsewhere] = [await makePlace(), await makePlace()]
    const { url } = await serve(place)
    const { token } = JSON.parse(await readFile(join(place.dataDir, 'server.json'), 'utf8')) as { token: string }
    const tokenFile = `${elsewhere.dataDir}-token`
    writeFileSync(tokenFile, `${token}\n`)
    const settings = { HOLDFAST_URL: `${url}/`, HOLDFAST_OPERATOR_TOKEN_FILE: tokenFile }
    const far = { ...elsewhere, env: { ...elsewhere.env, ...settings } }
    expect(await json(far, ['status'])).toMatchObject({ dataDir: place.dataDir })
    expect((await holdfast(far, ['status', '--data-dir', elsewhere.dataDir])).code).toBe(4)
  })

  it('says when a server has another version', async () => {
    const place = await makePlace()
    const older = createServer((_, response) => response.end('{"version":"0.0.9"}')).listen(0, '127.0.0.1')
    onTestFinished(async () => void older.close())
    await once(older, 'listening')
    const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`
    const asked = { ...place, env: { ...place.env, HOLDFAST_OPERATOR_TOKEN: 'hfo_x' } }
    for (const args of [['status'], ['keys', 'list']]) {
      const { code, stdout, stderr } = await holdfast(asked, [...args, '--url', url])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^This command line \(\d[\d.]*\) cannot read the server's answer: .* different version \(0\.0\.9\)/,
      )
    }
  })

  it('sends the token of the usual folder only to its own server, and calls paths below the given address', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const asked: (string | undefined)[] = []
    const other = createServer(({ url: path }, response) => {
      asked.push(path)
      response.end('{"error":"not here"}')
    }).listen(0, '127.0.0.1')
    onTestFinished(async () => void other.close())
    await once(other, 'listening')
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/base`
    expect(await json(place, ['status', '--url', url])).toMatchObject({ dataDir: place.dataDir })
    expect((await holdfast(place, ['status', '--url', address])).code).toBe(3)
    expect(asked).toEqual([])
    await holdfast(place, ['status', '--url', address, '--data-dir', place.dataDir])
    expect(asked).toEqual(['/base/api/operator/status?'])
  })

  it('starts with one block without a token, and stops cleanly', async () => {
    const place = await makePlace()
    const server = await serve(place)
    const tokenFile = join(place.dataDir, 'setup-token')
    const serverFile = join(place.dataDir, 'server.json')
    expect(server.output()).toContain(`setup --email you@example.org --data-dir ${place.dataDir}`)
    expect(server.output()).toContain(tokenFile)
    expect(server.output()).not.toMatch(/hf[sodc]_/)
    for (const file of [tokenFile, serverFile]) expect((await stat(file)).mode & 0o777).toBe(ownerOnly)
    const token = (await readFile(tokenFile, 'utf8')).trim()
    const welcome = await fetch(server.url)
    expect([welcome.status, welcome.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await welcome.text()).toContain('/openapi.json')
    const made = await fetch(`${server.url}/api/setup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, email: 'ada@example.org', password: password.trim() }),
    })
    expect(made.status).toBe(201)
    server.child.kill('SIGTERM')
    expect((await server.finished).code).toBe(0)
    expect([existsSync(tokenFile), existsSync(serverFile)]).toEqual([false, false])
    const next = await serve(place)
    expect(next.output()).not.toContain('no owner')
    expect(existsSync(tokenFile)).toBe(false)
  })

  it('ignores a server that crashed, whichever process uses its port now', async () => {
    const place = await makePlace()
    const first = await serve(place)
    const { agentKey } = await setUp(place)
    first.child.kill('SIGKILL')
    await first.finished
    const other = await serve(await makePlace())
    const left = JSON.parse(await readFile(join(place.dataDir, 'server.json'), 'utf8')) as { token: string }
    writeFileSync(join(place.dataDir, 'server.json'), JSON.stringify({ ...left, url: other.url }))
    expect(await json(place, ['status'])).toMatchObject({ users: 1, dataDir: place.dataDir })
    const again = await serve(place)
    expect(await infoOf(again.url, agentKey)).toBe(200)
  })

  it('waits for a server that is starting', async () => {
    const place = await makePlace()
    const server = start(place, ['serve'])
    onTestFinished(async () => {
      server.child.kill('SIGKILL')
      await server.finished
    })
    for (let waitedMs = 0; !existsSync(join(place.dataDir, 'holdfast.lock')); waitedMs += 5) {
      if (waitedMs > 20_000) throw new Error(`no start: ${server.output()}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await setUp(place)).toMatchObject({ agentKey: expect.any(String) })
  })

  it('rejects a second server on the same folder or the same port', async () => {
    const place = await makePlace()
    const { url } = await serve(place)
    const sameFolder = await holdfast(place, ['serve'])
    expect(sameFolder).toMatchObject({ code: 1, stdout: '' })
    expect(sameFolder.stderr).toMatch(/^Another Holdfast is running on the data folder/)
    const empty = await makePlace()
    const samePort = await holdfast(empty, ['serve', '--port', new URL(url).port])
    expect(samePort).toMatchObject({ code: 1, stdout: '' })
    expect(samePort.stderr).toContain('HOLDFAST_PORT')
    expect([existsSync(empty.dataDir), existsSync(String(empty.env.HOLDFAST_KEY_DIR))]).toEqual([false, false])
  })
})
