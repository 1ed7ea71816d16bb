import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { useTestApp } from '../app.ts'
import { familiesIn, metricsIn, scrape, type Family } from './exposed.ts'

/** What operators get with the server: alerts, the dashboard for Grafana, and the page about both. */

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string }
}

interface Panel {
  id: number
  type: string
  title: string
  targets?: { expr: string; datasource: { uid: string } }[]
}

const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(read('deploy/grafana/holdfast.json')) as { panels: Panel[] }
const targets = panels.flatMap((panel) => (panel.targets ?? []).map((target) => ({ panel, ...target })))
const page = read('docs/monitoring.md')

const test = useTestApp({ config: { embeddings: { provider: 'static' } } })
let families: Family[] = []
let names: string[] = []
beforeAll(async () => {
  families = familiesIn(await scrape(test()))
  names = families.map(({ name }) => name)
})

describe('the alerts', () => {
  it('use metrics that the server exposes', () => {
    const used = rules.map(({ alert, expr }) => ({ alert, metrics: metricsIn(expr, families) }))
    expect(used.filter(({ alert, metrics }) => metrics.length === 0 && alert !== 'HoldfastDown')).toEqual([])
    expect(used.flatMap(({ metrics }) => metrics).filter((name) => !names.includes(name))).toEqual([])
  })

  it('name labels whose values exist', async () => {
    const text = await scrape(test())
    const wanted = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/(reason|class)="?=?~?"?([^"]+)"/g)].map(([, , value = '']) => value),
    )
    expect(wanted.length).toBeGreaterThan(1)
    const values = wanted
      .flatMap((value) => value.split('|'))
      .filter((value) => !['search', 'too_many_.*'].includes(value))
    expect(values.filter((value) => !text.includes(`holdfast_refusals_total{reason="${value}"}`))).toEqual([])
  })

  it('have distinct names, a severity, and a line in the documentation', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(warning|critical)$/)
      expect(annotations.summary.length).toBeGreaterThan(10)
      expect(page, alert).toMatch(new RegExp(`^\\| \`${alert}\` +\\| ${labels.severity} +\\|`, 'm'))
    }
    const documented = [...page.matchAll(/^\| `(Holdfast\w+)`/gm)].map(([, name]) => name)
    expect(documented).toEqual(rules.map(({ alert }) => alert))
  })
})

describe('the dashboard for Grafana', () => {
  it('uses metrics that the server exposes', () => {
    expect(targets.length).toBeGreaterThan(30)
    for (const { panel, expr } of targets) {
      const used = metricsIn(expr, families)
      expect([panel.title, used.filter((name) => !names.includes(name))]).toEqual([panel.title, []])
      expect(used.length, panel.title).toBeGreaterThan(0)
    }
  })

  it('has distinct panels, all for the chosen servers', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { panel, expr, datasource } of targets) {
      const selectors = expr.match(/\b(?:holdfast|nodejs|process)_\w+/g)?.length
      expect([panel.title, expr.split('{job="$job", instance=~"$instance"').length - 1]).toEqual([
        panel.title,
        selectors,
      ])
      expect(datasource.uid).toBe('${datasource}')
    }
  })
})

describe('the documentation', () => {
  const documented = () =>
    [...page.matchAll(/^\| `(holdfast_\w+)(?:\{([\w, ]+)\})?` +\| (\w+) +\|/gm)].map(([, name, labels = '', type]) => ({
      name,
      type,
      labels: labels.split(', ').filter(Boolean),
    }))

  it('lists every metric with its type', () => {
    const own = families.filter(({ name }) => name.startsWith('holdfast_')).map(({ name, type }) => ({ name, type }))
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      (a.name ?? '').localeCompare(b.name ?? '')
    expect(
      documented()
        .map(({ name, type }) => ({ name, type }))
        .toSorted(byName),
    ).toEqual(own.toSorted(byName))
  })

  it('names the labels of each metric', async () => {
    const text = await scrape(test())
    const found = documented().flatMap(({ name }) => {
      const [, sample] = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'm').exec(text) ?? []
      if (sample === undefined) return []
      const labels = [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
      return [{ name, labels: labels.filter((label) => label !== 'le') }]
    })
    expect(found.length).toBeGreaterThan(8)
    for (const { name, labels } of found) expect(documented()).toContainEqual(expect.objectContaining({ name, labels }))
  })
})
