/** Parses an option. Throws if it isn't a number in the range, because a figure is never below an invalid minimum. */
export function readNumber(name: string, value: string, { least, most }: { least: number; most: number }): number {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (number >= least && number <= most) return number
  throw new RangeError(`--${name} must be a number from ${least} to ${most}, not "${value}"`)
}
