/** Where nodes lay last, by vault, until this tab is closed or its user signs out: ids and numbers alone. */

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

const round = (value: number) => Math.round(value * 10) / 10

export function keepPositions(vaultId: string, places: ReadonlyMap<string, Place>): void {
  const kept = Array.from(places, ([id, { x, y }]) => [id, [round(x), round(y)]] as const)
  try {
    sessionStorage.setItem(keyOf(vaultId), JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // As above.
  }
}
