import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isWebStale } from './bootstrap-web.mjs'

const sources = ['index.html', 'package.json', 'vite.config.ts', 'src/pages/home.tsx']
const built = 'packages/web/dist/index.html'
const operations = 'packages/client/src/dashboard.ts'
const folders = ['packages/web/src', 'packages/web/src/pages', 'packages/client/src']

/** Makes a checkout in which all files and folders have the same time. */
function makeCheckout() {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-build-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const paths = ['package-lock.json', operations, ...sources.map((path) => join('packages/web', path))]
  for (const path of [...paths, built]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  const setTime = (path, seconds) => utimesSync(join(root, path), seconds, seconds)
  for (const path of [...paths, built, ...folders]) setTime(path, 1_000)
  return { root, setTime }
}

it('builds the dashboard if there is no build', () => {
  const { root } = makeCheckout()
  expect(isWebStale(root)).toBe(false)
  rmSync(join(root, 'packages/web/dist'), { recursive: true })
  expect(isWebStale(root)).toBe(true)
})

it('builds it again after a change of sources, tools or files', () => {
  const inputs = ['packages/web/src/pages/home.tsx', 'packages/web/vite.config.ts', 'package-lock.json', operations]
  for (const changed of inputs) {
    const { root, setTime } = makeCheckout()
    setTime(changed, 2_000)
    expect([changed, isWebStale(root)]).toEqual([changed, true])
  }
  const { root } = makeCheckout()
  rmSync(join(root, 'packages/web/src/pages/home.tsx'))
  expect(isWebStale(root)).toBe(true)
})
