/** The values that are not as they were. */
export function changesBetween<Values extends object>(before: Partial<Values>, values: Values): Partial<Values> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Values])
  return Object.fromEntries(Object.entries(values).filter(isChanged)) as Partial<Values>
}
