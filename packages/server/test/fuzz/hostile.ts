import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Texts and JSON that break programs. Larger collections are used if they are next to the checkout. */

const folder = join(import.meta.dirname, '../../../../../shared/data/hostile')

function readBeside(file: string): string | undefined {
  const path = join(folder, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export const naughtyTexts: readonly [string, ...string[]] = [
  '',
  ' ',
  '\u0000',
  '\ufeff',
  '\u202e\u2066\u200b\u200d',
  'Ω≈ç√∫˜µ≤≥÷',
  '田中さんにあげて下さい',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  "'; DROP TABLE memories; --",
  '%00%ff%2e%2e/',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '${jndi:ldap://x}{{7*7}}#{7*7}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(400),
  'a'.repeat(20_000),
  'ﷺ'.repeat(3000),
  '[['.repeat(3000),
  '[[a|b]]#[[c#d]]'.repeat(500),
  '*_`~#>-'.repeat(800),
  '\n'.repeat(5000),
  'a\u0301'.repeat(3000),
  `${'a.'.repeat(2000)}@example.org`,
  ...(JSON.parse(readBeside('blns.json') ?? '[]') as string[]),
]

/** Bodies that are not a JSON object, or barely one. Each can also replace a value. */
export const hostileJson: readonly [string, ...string[]] = [
  '',
  '{',
  '[',
  '{"a":',
  '{"a":1,}',
  '{"a":1}{"b":2}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":1e999999}',
  '{"a":-1e-999999}',
  `{"a":${'9'.repeat(10_000)}}`,
  '{"a":"\\ud800"}',
  '{"\\udfff":1}',
  '{"a":"\\u0000"}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2,"a":3}',
  '\ufeff{}',
  '['.repeat(50_000),
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":0`).join(',')}}`,
  `{"a":[${'0,'.repeat(100_000)}0]}`,
  ...(readBeside('json-test-suite.jsonl') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from((JSON.parse(line) as { base64: string }).base64, 'base64').toString()),
]
