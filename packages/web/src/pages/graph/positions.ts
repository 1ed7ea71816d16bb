/**
 * Where nodes lay last, by vault, until this tab is closed or its user signs out: ids and numbers alone. Of those that are not on the
 * screen as well, so that they come back to where they lay.
 */

export interface Place {
  x: number
  y: number
}

const keyOf = (vaultId: string) => `holdfast-graph ${vaultId}`

export function readPositions(vaultId: string): Map<string, Place> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(vaultId)) ?? '{}') as Record<string, [number, number]>
    return new Map(Object.entries(kept).map(([id, [x, y]]) => [id, { x, y }]))
  } catch {
    // Storage that is switched off or spoilt: then the nodes lie somewhere else next time.
    return new Map()
  }
}

/** Of a vault; the ones that were there last. Some 600 KB. */
const mostKept = 10_000

const round = (value: number) => Math.round(value * 10) / 10

export function keepPositions(vaultId: string, places: ReadonlyMap<string, Place>): void {
  const others = [...readPositions(vaultId)].filter(([id]) => !places.has(id))
  const all = [...others, ...places].slice(-mostKept)
  const kept = all.map(([id, { x, y }]) => [id, [round(x), round(y)]] as const)
  try {
    sessionStorage.setItem(keyOf(vaultId), JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // As above.
  }
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/** Half a step of the spiral. */
const spacing = 12

/**
 * Where nodes begin that have no place yet: beside a neighbour that has one, else on a spiral, so that no two lie on each other
 * (forces do not part those). The same nodes begin at the same places.
 */
export function seedPlaces(
  ids: readonly string[],
  neighbours: ReadonlyMap<string, ReadonlySet<string>>,
  known: ReadonlyMap<string, Place>,
): Map<string, Place> {
  const places = new Map<string, Place>()
  ids.forEach((id, turn) => {
    const kept = known.get(id)
    places.set(
      id,
      kept ??
        beside(
          [...(neighbours.get(id) ?? [])].find((other) => known.has(other)),
          known,
          turn,
        ),
    )
  })
  return places
}

function beside(neighbour: string | undefined, known: ReadonlyMap<string, Place>, turn: number): Place {
  const center = neighbour === undefined ? undefined : known.get(neighbour)
  const angle = turn * goldenAngle
  const distance = center === undefined ? spacing * Math.sqrt(turn + 1) : spacing * 2
  return { x: (center?.x ?? 0) + distance * Math.cos(angle), y: (center?.y ?? 0) + distance * Math.sin(angle) }
}
