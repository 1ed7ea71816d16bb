import { readFileSync } from 'node:fs'
import { closestTo } from '@holdfast/mcp/closest'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings whose names begin with HOLDFAST_. */
interface Settings<Name extends string> {
  names: readonly Name[]
  /** Known, but not read here. */
  ignored: ReadonlySet<string>
  /** Names of settings whose text is used unchanged. It may be empty, or begin or end with spaces. */
  exact?: ReadonlySet<string>
}

/** The texts of settings: from the environment, or from the files that variables with `_FILE` after a setting's name name. */
export function collectTexts<Name extends string>(
  env: Environment,
  { names, ignored, exact = new Set() }: Settings<Name>,
  problems: string[],
): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {}
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith('HOLDFAST_') || ignored.has(variable) || text === undefined) continue
    if (text === '' && !exact.has(variable)) continue
    const isFile = variable.endsWith('_FILE')
    const base = isFile ? variable.slice(0, -'_FILE'.length) : variable
    const name = names.find((one) => one === base)
    if (name === undefined) problems.push(`${variable}: unknown setting${suggestion(variable, names)}`)
    else if (!isFile) given[name] = text
    else if ((env[name] ?? '') !== '') problems.push(`${variable}: ${name} is set as well; set only one of them`)
    else Object.assign(given, readText(name, { variable, path: text, isExact: exact.has(name) }, problems))
  }
  return given
}

function readText(
  name: string,
  { variable, path, isExact }: { variable: string; path: string; isExact: boolean },
  problems: string[],
): Record<string, string> {
  try {
    const text = readFileSync(path, 'utf8')
    // Editors end files with a line break.
    const value = isExact ? text.replace(/\r?\n$/, '') : text.trim()
    if (value !== '' || isExact) return { [name]: value }
    problems.push(`${variable}: the file it names is empty`)
  } catch {
    problems.push(`${variable}: the file it names cannot be read`)
  }
  return {}
}

function suggestion(name: string, names: readonly string[]): string {
  const near = closestTo(name, names, Math.ceil((name.length - 'HOLDFAST_'.length) / 3))
  return near === undefined ? '' : ` (did you mean ${near}?)`
}
