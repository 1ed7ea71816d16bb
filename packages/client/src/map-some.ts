/** Enough to hide the time of a request, and few enough not to keep others from the server. */
const atOnce = 8

/** Runs a function for each item, eight at the same time, and returns the results in the order of the items. */
export async function mapSome<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const work = async () => {
    for (const [at, item] of left) results[at] = await run(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}
