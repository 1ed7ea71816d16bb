import type { JsonValue } from './json.ts'

type JsonObject = Record<string, JsonValue>

/** RFC 7396: objects are merged, null deletes a key, everything else replaces. On null-prototype objects, so that no key means more. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null) as JsonObject, target)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = isObject(value) ? mergePatch(isObject(merged[key]) ? merged[key] : {}, value) : value
  }
  return merged
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
