/** What an option says; throws where that is no number within the bounds, as no figure is under a minimum that is none. */
export function readNumber(name: string, value: string, { least, most }: { least: number; most: number }): number {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (number >= least && number <= most) return number
  throw new RangeError(`--${name} is a number from ${least} to ${most}, not "${value}"`)
}
