/** Each step in turn, also after one that failed; throws what the first to fail threw. */
export async function takeAll(steps: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
