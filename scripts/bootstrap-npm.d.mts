/** Path of npm's program, which comes with Node; undefined if there is none. */
export function findNpm(): string | undefined
