import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { describeVariables } from '../packages/server/src/config.ts'
import { root } from './checks.ts'

const files = ['Dockerfile', 'compose.yaml', ...globSync('deploy/**/*.{yaml,tpl,service,cfg}', { cwd: root })]

it('what deploys the server uses only settings that exist, since it would not start with others', () => {
  expect(files.length).toBeGreaterThan(8)
  const known = new Set(describeVariables().map(({ name }) => name))
  const unknown = files.flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(/\bHOLDFAST_[A-Z_]+\b/g), ([name]) => name)
      .filter((name) => !known.has(name.replace(/_FILE$/, '')))
      .map((name) => `${file}: ${name}`),
  )
  expect(unknown).toEqual([])
})

it('the unit lets the server ask for the addresses of its machine, without which no webhook is sent', () => {
  const unit = readFileSync(join(root, 'deploy/systemd/holdfast.service'), 'utf8')
  expect(/^RestrictAddressFamilies=(.*)$/m.exec(unit)?.[1]?.split(' ')).toContain('AF_NETLINK')
})

it('Compose trusts only the address of its proxy, not that of everyone who connects to a published port', () => {
  const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string>; networks: { cluster: { ipv4_address: string } } }>
  }
  const address = services['proxy']?.networks.cluster.ipv4_address
  expect(services['server-1']?.environment['HOLDFAST_TRUSTED_PROXY']).toBe(`\${HOLDFAST_TRUSTED_PROXY:-${address}}`)
})
