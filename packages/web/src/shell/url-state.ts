import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

type Value = string | number | boolean

/** Widens literal types: a default of `0` allows any number. */
type Widened<State> = {
  [Name in keyof State]: State[Name] extends string ? string : State[Name] extends number ? number : boolean
}

/**
 * Keeps the state of a page in its URL, so that people can link to it, reload it and go back. Default values are omitted.
 * Values of another type than the default's are ignored.
 */
export function useUrlState<const State extends Readonly<Record<string, Value>>>(defaults: State) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readUrlState(search, defaults)
  const setState = useCallback(
    (changes: Partial<Widened<State>>) =>
      void navigate({
        to: '.',
        replace: true,
        search: (previous: Readonly<Record<string, unknown>>) => writeUrlState(previous, changes, defaults),
      } as Parameters<typeof navigate>[0]),
    [navigate, defaults],
  )
  return [state, setState] as const
}

export function readUrlState<State extends Readonly<Record<string, Value>>>(
  search: Readonly<Record<string, unknown>>,
  defaults: State,
): Widened<State> {
  const entries = Object.entries(defaults).map(([name, preset]) => {
    const given = search[name]
    if (typeof preset === 'string' && typeof given === 'number') return [name, String(given)]
    return [name, typeof given === typeof preset ? given : preset]
  })
  return Object.fromEntries(entries) as Widened<State>
}

export function writeUrlState(
  search: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, Value>>,
): Record<string, unknown> {
  const next = Object.entries({ ...search, ...changes })
  return Object.fromEntries(next.filter(([name, value]) => value !== undefined && value !== defaults[name]))
}
