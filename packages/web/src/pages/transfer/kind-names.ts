import { capitalize } from '../../components/text/first-words.ts'
import { countOf } from '../../components/text/time-text.ts'

const names: Readonly<Record<string, readonly [one: string, several: string]>> = {
  settings: ['set of settings', 'sets of settings'],
  folder: ['folder', 'folders'],
  note: ['note', 'notes'],
  noteVersion: ['note version', 'note versions'],
  memory: ['memory', 'memories'],
  memoryVersion: ['memory version', 'memory versions'],
  task: ['task', 'tasks'],
  link: ['link', 'links'],
  message: ['message', 'messages'],
  document: ['document', 'documents'],
  documentVersion: ['document version', 'document versions'],
}

/** Such as `3 notes`. Unknown kinds keep their technical name. */
function countKind(kind: string, count: number): string {
  const [one, several] = names[kind] ?? [kind, kind]
  return countOf(count, one, several)
}

export const kindTitle = (kind: string): string => {
  const several = names[kind]?.[1] ?? kind
  return capitalize(several)
}

export const countKinds = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => countKind(kind, count))
    .join(', ')
