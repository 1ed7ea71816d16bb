import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

type Value = string | number | boolean
type Search = Readonly<Record<string, unknown>>

/** A field with a fixed set of values. */
interface Choice<T extends string> {
  words: readonly string[]
  preset: T
}

/** A field that is one of `words`. Its default is `preset`, which may be '' for no choice. */
export const oneOf = <const T extends string, const P extends T | ''>(
  words: readonly T[],
  preset: P,
): Choice<T | P> => ({ words, preset })

type Fields = Readonly<Record<string, Value | Choice<string>>>

type StateOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Choice<infer T>
    ? T
    : F[Name] extends string
      ? string
      : F[Name] extends number
        ? number
        : boolean
}

/** Changes to the state. A choice also accepts other strings; reading replaces them by the preset. */
export type Changes<State> = { [Name in keyof State]?: State[Name] extends string ? string : State[Name] }

/**
 * The state that a page keeps in its URL, so that people can link to it, reload it and go back. Pages load lazily, routes don't, so
 * this belongs to the page, not to the route's `validateSearch`.
 */
export interface UrlState<State> {
  defaults: State
  /** Anyone can type into a URL, so values of a wrong type and unknown choices are read as the default. */
  read(search: Search): State
  /** The URL's search parameters after a change, without default values and with parameters of others. */
  write(search: Search, changes: Changes<State>): Record<string, unknown>
  isFiltered(state: State): boolean
  /** The changes that remove all filters and go to the first page. */
  noFilter: Partial<State>
}

/** `filters`: the fields that filter the page's list. */
export function describeUrl<const F extends Fields>(
  fields: F,
  { filters = [] }: { filters?: readonly (keyof F & string)[] } = {},
): UrlState<StateOf<F>> {
  const presets = Object.entries(fields).map(([name, field]) => [name, presetOf(field)] as const)
  const defaults = Object.fromEntries(presets) as StateOf<F>
  const reset = filters.length > 0 && 'offset' in fields ? [...filters, 'offset'] : filters
  return {
    defaults,
    read: (search) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, readField(field, search[name])]),
      ) as StateOf<F>,
    write: (search, changes) =>
      Object.fromEntries(
        Object.entries({ ...search, ...changes }).filter(
          ([name, value]) => value !== undefined && value !== defaults[name],
        ),
      ),
    isFiltered: (state) => filters.some((name) => state[name] !== defaults[name]),
    noFilter: Object.fromEntries(reset.map((name) => [name, defaults[name]])) as Partial<StateOf<F>>,
  }
}

const presetOf = (field: Fields[string]): Value => (typeof field === 'object' ? field.preset : field)

function readField(field: Fields[string], given: unknown): Value {
  if (typeof field === 'object') return field.words.find((word) => word === given) ?? field.preset
  if (typeof field === 'string' && typeof given === 'number') return String(given)
  return typeof given === typeof field ? (given as Value) : field
}

export function useUrlState<State>(url: UrlState<State>) {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const setState = useCallback(
    (changes: Changes<State>) =>
      void navigate({
        to: '.',
        replace: true,
        // Of an entity's page, the fragment is its name.
        hash: true,
        // Another page of the list, or another list, begins at the top. A dialog opens over what is shown.
        resetScroll: 'offset' in changes,
        search: (previous: Search) => url.write(previous, changes),
      } as Parameters<typeof navigate>[0]),
    [navigate, url],
  )
  return [url.read(search), setState] as const
}

/** The trimmed text; undefined if it is empty. */
export const textOf = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim())
