import type { AgentClient, Json, JsonObject } from '@holdfast/hosts/clients'
import { stringify as printToml } from 'smol-toml'
import { stringify as printYaml } from 'yaml'

/** An entry as a client's settings would hold it with nothing else in them, ready to be copied. */
export function printSnippet({ format, at, listed }: AgentClient, entry: JsonObject): string {
  const settings = at.reduceRight<Json>((inner, name) => ({ [name]: inner }), entry) as JsonObject
  if (format === 'toml') return printToml(settings).trim()
  if (format === 'yaml') return printYaml(settings, { lineWidth: 0 }).trim()
  return JSON.stringify(listed === undefined ? settings : { ...settings, [listed.at[0]]: [listed.item] }, null, 2)
}
