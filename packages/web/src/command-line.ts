// Set by the build of the package (scripts/pack). Everything else runs from a checkout.
const program: string = import.meta.env['VITE_COMMAND_LINE'] ?? 'npm run -s holdfast --'

/** A command of the server's command line, for people to copy. */
export const holdfast = (args: string): string => `${program} ${args}`
