import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { measured } from '../packages/server/test/promises/measured.ts'
import { root } from './checks.ts'
import { installTools } from './deploy/tools.ts'

/** What `deploy`, the Dockerfile and compose.yaml say, checked with the tools that read them. No cluster and no container engine is needed. */

interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  spec: Record<string, unknown>
}

interface Rendered {
  problems: string[]
  documents: Resource[]
}

const postgres = { database: { existingSecret: 'holdfast' } }

const right = {
  sqlite: {},
  postgres,
  everything: {
    ...postgres,
    autoscaling: { enabled: true },
    metrics: { existingSecret: 'holdfast', serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
    publicUrl: 'https://memory.example.org',
    trustedProxies: ['10.0.0.0/8'],
    settings: { HOLDFAST_LOG_LEVEL: 'debug' },
    secretSettings: { HOLDFAST_EMBEDDINGS_KEY: { secret: 'embeddings', key: 'token' } },
    networkPolicy: { ingressFrom: [{ namespaceSelector: {} }] },
  },
}

const wrong: Record<string, [values: object, problem: string]> = {
  'an unknown value': [{ replica: 2 }, "'replica' not allowed"],
  'a number that is none': [{ replicas: 'two' }, 'got string, want integer'],
  'no root key': [{ rootKey: { existingSecret: '' } }, '/rootKey/existingSecret'],
  'a setting that is none': [{ settings: { PORT: '1' } }, "'PORT' does not match pattern"],
  'metrics without a token': [{ metrics: { serviceMonitor: { enabled: true } } }, 'metrics.existingSecret is needed'],
}

const bin = installTools()

describe.skipIf(bin === undefined)('the Helm chart (skipped without Python or PyPI)', { timeout: 300_000 }, () => {
  const checked = () => {
    const values = Object.fromEntries(Object.entries(wrong).map(([name, [value]]) => [name, value]))
    const asked = {
      chart: join(root, 'deploy/helm/holdfast'),
      cases: { ...right, ...values },
      versions: ['1.27', '1.30', '1.34', '1.37'],
      compose: join(root, 'compose.yaml'),
    }
    const script = join(root, 'scripts/deploy/check-chart.py')
    const { stdout, stderr } = spawnSync(join(bin ?? '', 'python'), [script], {
      input: JSON.stringify(asked),
      encoding: 'utf8',
    })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout) as { cases: Record<string, Rendered>; compose: string[] }
  }
  let kept: ReturnType<typeof checked> | undefined
  const results = () => (kept ??= checked())
  const rendered = (name: string) => results().cases[name]?.documents ?? []

  it.each(Object.keys(right))('passes helm lint, and renders what Kubernetes 1.27 to 1.37 accept: %s', (name) => {
    expect(results().cases[name]?.problems).toEqual([])
    expect(rendered(name).length).toBeGreaterThan(3)
  })

  it.each(Object.entries(wrong))('refuses %s', (name, [, problem]) => {
    expect(results().cases[name]?.problems.join('\n')).toContain(problem)
    expect(rendered(name)).toEqual([])
  })

  it('runs as the policy "restricted" of Kubernetes demands, without service links, and gets the time that a drain needs', () => {
    for (const name of Object.keys(right)) {
      const deployment = rendered(name).find(({ kind }) => kind === 'Deployment')
      const pod = (deployment?.spec['template'] as { spec: object } | undefined)?.spec
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: 30,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            env: expect.arrayContaining([{ name: 'HOLDFAST_DRAIN_SECONDS', value: '10' }]) as unknown,
          },
        ],
      })
      expect(pod).not.toHaveProperty('hostNetwork')
    }
  })

  it('has one server with SQLite, and with PostgreSQL several that are moved one by one', () => {
    const kinds = (name: string) => rendered(name).map(({ kind }) => kind)
    expect(kinds('sqlite')).toEqual(['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service'])
    expect(rendered('sqlite')[0]?.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    expect(kinds('postgres')).toEqual(['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'])
    expect(rendered('postgres')[0]?.spec).toMatchObject({ replicas: 2 })
    expect(kinds('everything')).toContain('HorizontalPodAutoscaler')
    expect(kinds('everything')).toContain('ServiceMonitor')
  })

  // For those who don't use Helm. `TEST_WRITE_MANIFESTS=1` writes them.
  it.each(['sqlite', 'postgres'] as const)('renders deploy/kubernetes/%s.yaml', (name) => {
    const file = join(root, 'deploy/kubernetes', `${name}.yaml`)
    const header = `# Rendered from deploy/helm/holdfast for the namespace holdfast. docs/deploy.md says how to use it.\n`
    const text =
      header +
      rendered(name)
        .map(withoutHelm)
        .map((one) => `---\n${stringify(one)}`)
        .join('')
    if (process.env['TEST_WRITE_MANIFESTS'] === '1') writeFileSync(file, text)
    expect(parseAllDocuments(readFileSync(file, 'utf8')).map((one) => one.toJS() as unknown)).toEqual(
      rendered(name).map(withoutHelm),
    )
  })

  it('compose.yaml follows the specification of Compose', () => {
    expect(results().compose).toEqual([])
  })

  it('hadolint finds nothing in the Dockerfile', () => {
    const { status, stdout } = spawnSync(join(bin ?? '', 'hadolint'), [join(root, 'Dockerfile')], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
  })
})

function withoutHelm({ apiVersion, kind, metadata, spec }: Resource): object {
  const labels = Object.entries(metadata.labels).filter(([name]) => name !== 'app.kubernetes.io/managed-by')
  return { apiVersion, kind, metadata: { name: metadata.name, labels: Object.fromEntries(labels) }, spec }
}

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

it.skipIf(!has('systemd-analyze', '--version'))(
  'the unit is valid for systemd, which rates its exposure 1.1 of 10 (skipped without systemd-analyze)',
  () => {
    const place = mkdtempSync(join(tmpdir(), 'holdfast-unit-'))
    onTestFinished(() => rmSync(place, { recursive: true }))
    const unit = join(place, 'holdfast.service')
    cpSync(join(root, 'deploy/systemd/holdfast.service'), unit)
    // Its program isn't installed here.
    const text = readFileSync(unit, 'utf8')
    writeFileSync(unit, text.replace('ExecStart=holdfast', 'ExecStart=/bin/true'))
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
    const exposure = Number(/exposure level[^:]*: ([\d.]+)/.exec(rated.stdout)?.[1])
    measured({ exposure })
    expect(exposure).toBeLessThanOrEqual(1.1)
  },
)

it.skipIf(!has('haproxy', '-v'))('the settings of HAProxy are valid (skipped without haproxy)', () => {
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(root, 'deploy/compose/haproxy.cfg')], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
})

it.skipIf(!has('haproxy', '-v'))(
  'HAProxy says when to try again while no server is ready (skipped without haproxy)',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'holdfast-haproxy-'))
    onTestFinished(() => rmSync(place, { recursive: true }))
    const [file, socket] = [join(place, 'haproxy.cfg'), join(place, 'socket')]
    const text = readFileSync(join(root, 'deploy/compose/haproxy.cfg'), 'utf8')
    writeFileSync(file, text.replace('bind :8420', `bind unix@${socket}`))
    const proxy = spawn('haproxy', ['-f', file], { stdio: 'ignore' })
    onTestFinished(() => void proxy.kill('SIGKILL'))
    const ask = () =>
      new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string } | undefined>((resolve) => {
        get({ socketPath: socket, path: '/' }, (answer) => {
          let body = ''
          answer.on('data', (some: Buffer) => (body += some.toString()))
          answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }))
        }).on('error', () => resolve(undefined))
      })
    await expect.poll(ask, { timeout: 10_000 }).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(JSON.parse((await ask())?.body ?? '')).toEqual({ error: 'no server is ready' })
  },
)
