import type { Instance } from './instance.ts'
import { isFileSource, loadRootKeys } from './root-key-source.ts'

/**
 * Takes in what the file of keys holds now. What is in memory already stays until the next start: calls that have begun may need it.
 * Keys from settings are what they were at the start.
 */
export function rereadRootKeys(instance: Instance): void {
  if (!isFileSource(instance.rootKeySource)) return
  const { primary, byId } = loadRootKeys(instance.rootKeySource, instance.id).keys
  instance.rootKeys = { primary, byId: new Map([...instance.rootKeys.byId, ...byId]) }
}
