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
