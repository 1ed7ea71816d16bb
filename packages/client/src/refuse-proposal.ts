/**
 * Throws if a change was only proposed, because someone else wrote the record: the caller must not believe that it was made. The message
 * is for the model.
 */
export function refuseProposal({ proposal }: { proposal?: { message: string } }): void {
  if (proposal !== undefined) throw new Error(proposal.message)
}
