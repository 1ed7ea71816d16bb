import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from './checks.ts'

interface Step {
  uses?: string
  run?: string
}

interface Workflow {
  permissions?: Record<string, string>
  jobs: Record<string, { steps: Step[]; permissions?: Record<string, string>; environment?: string }>
}

const files = globSync('.github/workflows/*.yml', { cwd: root })

const read = (file: string) => parse(readFileSync(join(root, file), 'utf8')) as Workflow

describe.each(files)('%s', (file) => {
  const { permissions, jobs } = read(file)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('pins each action by the hash of its commit', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? [])
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  })

  it('puts nothing that others choose into a script', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
  })

  it('gives no job more than it states', () => {
    const isStated = Object.values(jobs).every((job) => job.permissions !== undefined)
    expect(permissions).toEqual(isStated ? {} : { contents: 'read' })
  })
})

it('what runs the code of a release may not publish, and what publishes needs an approval', () => {
  const { jobs } = read('.github/workflows/release.yml')
  expect(jobs['build']?.permissions).toEqual({ contents: 'read' })
  const publishing = Object.entries(jobs).filter(
    ([, job]) => job.permissions?.['id-token'] || job.permissions?.['packages'],
  )
  expect(publishing.map(([name]) => name)).toEqual(['npm', 'pypi', 'attest', 'image', 'chart'])
  expect(publishing.map(([, { environment }]) => environment)).toEqual(publishing.map(() => 'release'))
})
