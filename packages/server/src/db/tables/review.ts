/** That somebody looked at one memory, or at two beside each other, and left them as they are; or accepts all that an agent guesses. */
export interface ReviewDecisionsTable {
  userId: string
  vaultId: string
  /** Of what was looked at. */
  kind: string
  /** The lesser of two ids. */
  firstId: string
  /** Empty where there is one. */
  secondId: string
  at: number
}
