/** Builds the dashboard where its sources are newer than its build. `node`: the binary to build with. */
export function provideWeb(root: string, node: string): Promise<void>
