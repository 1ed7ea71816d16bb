/** How people call the command line from a checkout, for advice that they can copy. */
export const commandLine = 'npm run -s holdfast --'
