import type { TestApp } from '../app.ts'

export const scrape = async ({ app }: TestApp): Promise<string> =>
  (await app.server.inject({ method: 'GET', url: '/metrics' })).payload

export interface Family {
  name: string
  type: string
  help: string
}

export const familiesIn = (text: string): Family[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)].map(([, name = '', help = '', type = '']) => ({
    name,
    help,
    type,
  }))

/** The names of metrics in an expression, as the server exposes them. */
export function metricsIn(expression: string, families: readonly Family[]): string[] {
  const histograms = new Set(families.filter(({ type }) => type === 'histogram').map(({ name }) => name))
  return [...expression.matchAll(/\b(?:holdfast|nodejs|process)_\w+/g)].map(([name]) => {
    const base = name.replace(/_(bucket|sum|count)$/, '')
    return histograms.has(base) ? base : name
  })
}
