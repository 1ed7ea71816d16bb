// Kept for one commit, while files move: see calls/records.ts.
export * from '../calls/records.ts'
