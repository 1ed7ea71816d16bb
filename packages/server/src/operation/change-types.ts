// Kept for one commit, while files move: see calls/change-types.ts.
export * from '../calls/change-types.ts'
