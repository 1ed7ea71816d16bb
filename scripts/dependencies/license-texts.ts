import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { LockedPackage } from './locked-packages.ts'

/**
 * Returns the list of licenses of what we distribute, followed by their texts, which most of them ask us to pass on. Equal texts appear
 * once. A build for one platform has the text of the package that it is a build of, and may not be installed here.
 */
export function printLicenses(root: string, packages: readonly LockedPackage[]): string {
  const list = packages.map(({ name, version, license }) => `${name} ${version}: ${license ?? 'none'}`)
  const texts = new Map<string, string[]>()
  for (const one of packages.filter(({ isForOnePlatform }) => !isForOnePlatform))
    for (const { title, text } of readTexts(root, one)) texts.set(text, [...(texts.get(text) ?? []), title])
  const sections = [...texts].map(([text, titles]) => `${line}\n${titles.join('\n')}\n${line}\n\n${text}\n`)
  return [
    'Holdfast contains or installs the following packages of others. NOTICE names the sources of its built-in model and its list of passwords.',
    unique(list).join('\n'),
    ...sections,
  ].join('\n\n')
}

const line = '-'.repeat(80)

/** The texts in the files that usually contain them; a package without such a file still has its license in the list. */
function readTexts(root: string, { path, name, version }: LockedPackage) {
  const files = globSync('{LICEN[CS]E*,licen[cs]e*,COPYING*,NOTICE*}', { cwd: join(root, path) })
  return files
    .filter((file) => !/\.(js|json|ts)$/.test(file))
    .toSorted()
    .map((file) => ({
      title: `${name} ${version}, ${basename(file)}`,
      text: readFileSync(join(root, path, file), 'utf8')
        .replaceAll('\r\n', '\n')
        .trim(),
    }))
}

const unique = (lines: readonly string[]) => [...new Set(lines)]
