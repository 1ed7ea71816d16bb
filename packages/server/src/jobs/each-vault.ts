/** Goes on with the other vaults after one that fails, so that a damaged one holds up nobody's; then throws what failed first. */
export async function forEachVault<Vault>(
  vaults: readonly Vault[],
  signal: AbortSignal,
  work: (vault: Vault) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const vault of vaults) {
    if (signal.aborted) break
    await work(vault).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
