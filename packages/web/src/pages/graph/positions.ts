/**
 * The last positions of nodes, per vault, until the tab is closed or the person signs out. Stores only ids and numbers. Positions of
 * nodes that aren't shown are kept too, so the nodes return to the same place.
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
    // Storage is disabled or its content is broken: the next layout starts from scratch.
    return new Map()
  }
}

/** The most recent positions kept per vault, about 600 KB. */
const maxKept = 10_000

const round = (value: number) => Math.round(value * 10) / 10

export function keepPositions(vaultId: string, places: ReadonlyMap<string, Place>): void {
  const others = [...readPositions(vaultId)].filter(([id]) => !places.has(id))
  const all = [...others, ...places].slice(-maxKept)
  const kept = all.map(([id, { x, y }]) => [id, [round(x), round(y)]] as const)
  try {
    sessionStorage.setItem(keyOf(vaultId), JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // Storage is disabled or full.
  }
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/** Half the distance between turns of the spiral. */
const spacing = 12

/**
 * Start positions for nodes without one: next to a neighbor that has one, otherwise on a spiral. No two get the same position,
 * because the force layout can't separate those. Deterministic.
 */
export function seedPlaces(
  ids: readonly string[],
  neighbors: ReadonlyMap<string, ReadonlySet<string>>,
  known: ReadonlyMap<string, Place>,
): Map<string, Place> {
  const places = new Map<string, Place>()
  ids.forEach((id, turn) => {
    const kept = known.get(id)
    places.set(
      id,
      kept ??
        placeNear(
          [...(neighbors.get(id) ?? [])].find((other) => known.has(other)),
          known,
          turn,
        ),
    )
  })
  return places
}

function placeNear(neighbor: string | undefined, known: ReadonlyMap<string, Place>, turn: number): Place {
  const center = neighbor === undefined ? undefined : known.get(neighbor)
  const angle = turn * goldenAngle
  const distance = center === undefined ? spacing * Math.sqrt(turn + 1) : spacing * 2
  return { x: (center?.x ?? 0) + distance * Math.cos(angle), y: (center?.y ?? 0) + distance * Math.sin(angle) }
}
