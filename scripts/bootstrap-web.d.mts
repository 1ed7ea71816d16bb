/** Builds the dashboard with the Node binary `node` if its sources are newer than the build. */
export function provideWeb(root: string, node: string): Promise<void>
