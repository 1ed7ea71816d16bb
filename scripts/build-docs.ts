import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './checks.ts'
import { findProblems } from './docs/check-site.ts'
import { stagePages } from './docs/stage-pages.ts'

// `npm run docs` builds the documentation site into site/dist, where a server of this checkout finds it.

export const site = join(root, 'site')

/** Builds the site into a folder, and throws if a page links to something that doesn't exist. */
export function buildDocs(target = join(site, 'dist')): void {
  provideTools()
  stagePages(root, join(site, '.pages'))
  rmSync(target, { recursive: true, force: true })
  runProgram([join(site, 'node_modules/vitepress/bin/vitepress.js'), 'build', '--outDir', target])
  const problems = findProblems(target)
  if (problems.length > 0) throw new Error(`The site has ${problems.length} problems:\n${problems.join('\n')}`)
}

/** They have a folder and a lock file of their own: nothing but this script needs them. */
function provideTools(): void {
  if (existsSync(join(site, 'node_modules/vitepress/package.json'))) return
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: site,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`VitePress could not be installed\n${stderr}`)
}

function runProgram(args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: site,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The site could not be built\n${stdout}${stderr}`)
}

if (import.meta.main) {
  buildDocs(process.argv[2] === undefined ? undefined : resolve(process.argv[2]))
  console.log(`The site is in ${process.argv[2] ?? 'site/dist'}.`)
}
