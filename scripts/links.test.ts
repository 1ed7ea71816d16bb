import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './checks.ts'

it('no page links to a missing file', () => {
  const pages = globSync('**/*.md', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/fixtures/**', '.*/**', '**/.pages/**'],
  })
  const links = pages.flatMap((page) =>
    [
      ...readFileSync(join(root, page), 'utf8')
        .replaceAll(/`[^`\n]*`/g, '')
        .matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g),
    ].map(([, target = '']) => ({
      page,
      target,
    })),
  )
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter(({ page, target }) => !existsSync(join(root, dirname(page), target)))).toEqual([])
})
