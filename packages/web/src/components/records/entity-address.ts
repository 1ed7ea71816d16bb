/**
 * The fragment of an entity's page. Names are content, and a fragment is never sent to a server. `~` takes the place of `%`, because the
 * router decodes percent signs on some ways and not on others.
 */
export const fragmentOf = (name: string): string => encodeURIComponent(name).replaceAll('~', '%7E').replaceAll('%', '~')

/** The name in a fragment, however it was typed. */
export function nameIn(fragment: string): string {
  try {
    return decodeURIComponent(fragment.replaceAll('~', '%')).trim()
  } catch {
    return fragment.trim()
  }
}
