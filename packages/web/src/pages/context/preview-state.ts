import type { InputOf, OutputOf } from '../../api/call.ts'
import { describeUrl, type Changes } from '../../shell/url-state.ts'

/** The preview's settings in the URL. -1 and '' stand for the default of the mode or the vault. */
export const previewUrl = describeUrl({
  agent: '',
  mode: '',
  against: '',
  query: '',
  whole: false,
  facts: -1,
  constraints: -1,
  tasks: -1,
  episodes: -1,
  textChars: 9000,
  tab: 'text',
})

export type PreviewState = typeof previewUrl.defaults
export type SetPreview = (changes: Changes<PreviewState>) => void
export type Preview = OutputOf<'preview-context'>

type Input = InputOf<'preview-context'>
type Mode = NonNullable<Input['mode']>

const titles: Readonly<Record<Mode, string>> = {
  default: 'Default',
  planning: 'Planning',
  incident: 'Incident',
  handoff: 'Handoff',
  deep: 'Deep',
  minimal: 'Minimal',
  none: 'None',
}

export const modes = Object.entries(titles).map(([value, label]) => ({ value, label }))
export const vaultDefault = 'Vault default'
/** `chosen`: undefined if the vault decides. `used`: the mode of the answer. */
export function nameMode(chosen: Mode | undefined, used: Mode): string {
  if (chosen !== undefined) return `${titles[used]} mode`
  return used === 'default' ? vaultDefault : `${vaultDefault}: ${titles[used]}`
}
const modeOf = (given: string): Mode | undefined => (given in titles ? (given as Mode) : undefined)

export function inputOf(state: PreviewState, vaultId: string, integrationId: string, mode: string): Input {
  const { query, whole, facts, constraints, tasks, episodes, textChars } = state
  const numberOf = (count: number) => (count < 0 ? undefined : count)
  return {
    vaultId,
    integrationId,
    mode: modeOf(mode),
    query: query.trim() === '' ? undefined : query.trim(),
    summaryOnly: whole ? false : undefined,
    maxFacts: numberOf(facts),
    maxConstraints: numberOf(constraints),
    maxTasks: numberOf(tasks),
    maxEpisodic: numberOf(episodes),
    maxTextChars: textChars === previewUrl.defaults.textChars ? undefined : textChars,
  }
}

/** Clients cut the output of a hook at this length. */
export const hookCapChars = 10_000
