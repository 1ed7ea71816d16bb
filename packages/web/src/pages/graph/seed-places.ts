import type { Place } from './positions.ts'

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
