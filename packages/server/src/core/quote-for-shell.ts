/**
 * A path, name or address as a shell takes it, for commands that are printed for people to copy. A POSIX shell interprets nothing between
 * single quotes. `cmd` and PowerShell on Windows share only double quotes.
 */
export function quoteForShell(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return /^[\w./:@+\\-]+$/.test(text) ? text : `"${text}"`
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
