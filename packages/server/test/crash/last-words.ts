// Loaded into a server before its own code. Makes it crash as a bug would, with content in the error.

const words = process.env['LAST_WORDS'] ?? ''

process.on('SIGUSR2', () => {
  throw new Error(`cannot handle ${words}`, { cause: { [words]: words } })
})
