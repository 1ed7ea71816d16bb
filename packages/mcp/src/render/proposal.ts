interface Proposal {
  status: 'pending' | 'rejected'
  message: string
}

/** The first line of an answer to a change that a person decides about. The server's message says what to do. */
export const proposalHead = (id: string, { status, message }: Proposal): string =>
  `${status === 'pending' ? 'proposed' : 'rejected'}: ${id}. ${message}`
