import { printParty } from './print-names.ts'

/** Who shaped a text. */
export interface Writers {
  /** Who wrote it first. */
  agentId: string | null
  /** The label of the author's key, if the author gave another name. */
  keyLabel?: string | undefined
  trust: string
  /** Who changed it last, if that was not the author. */
  changedBy?: string | undefined
  changedByKeyLabel?: string | undefined
}

/** A record with what the server knows of its writers, as answers contain it. */
interface Written {
  agentId: string | null
  source: { integrationId: string | null; keyLabel?: string | undefined; trust: string }
  changedBy: {
    integrationId: string | null
    agentId: string | null
    keyLabel?: string | undefined
    route: string
  } | null
}

export function writersOf({ agentId, source, changedBy }: Written): Writers {
  const { trust, integrationId, keyLabel } = source
  const isAuthor = changedBy?.integrationId === integrationId && changedBy.agentId === agentId
  // What a file says about changes is a claim; an integration or the person may have its name.
  const author = { agentId, keyLabel, trust }
  return changedBy === null || isAuthor || changedBy.route.startsWith('import')
    ? author
    : { ...author, changedBy: changedBy.agentId ?? changedBy.route, changedByKeyLabel: changedBy.keyLabel }
}

/**
 * Such as `by the person, changed by codex`. What an agent had a hand in never reads as the person's own words, and the author of what
 * a file brought is a claim: `imported, by codex`. Empty if the author is unknown.
 */
export function printWriters({ agentId, keyLabel, trust, changedBy, changedByKeyLabel }: Writers): string {
  const isMixed = changedBy === undefined && agentId === 'user' && trust === 'agent_authored'
  return [
    ...(trust === 'imported' ? ['imported'] : []),
    ...(agentId === null ? [] : [`by ${printParty(agentId, keyLabel)}`]),
    ...(changedBy === undefined ? [] : [`changed by ${printParty(changedBy, changedByKeyLabel)}`]),
    ...(isMixed ? ['with changes by agents'] : []),
  ].join(', ')
}

/** What names the writers of a text in one record. */
export interface NamedText {
  agentId: string | null
  integrationId: string | null
  keyLabel?: string | undefined
  trust: string
  changedBy: Written['changedBy']
}

/** Such as `the person, changed by codex`, for a place that says "by" or "from" itself. */
export function nameWriters({ agentId, changedBy, ...source }: NamedText): string {
  const printed = printWriters(writersOf({ agentId, source, changedBy }))
  return printed === '' ? 'an unknown agent' : printed.replace(/^by /, '')
}

/** Who removed the text of a vault's document. */
export const printRemoval = ({ agentId, keyLabel, route }: NonNullable<Written['changedBy']>): string =>
  `by ${printParty(agentId ?? route, keyLabel)}; versions are kept`
