/** A file somewhere below a directory, by the names that lead there. */
interface SizedFile {
  names: readonly string[]
  bytes: number
}

const maxDepth = 2

/**
 * Prints a directory as the SDK's tool for local files does: one line for it, and one for each file and directory in it, two levels
 * deep, without hidden ones. The size of a directory is that of everything in it.
 */
export function printDirectory(path: string, files: readonly SizedFile[]): string[] {
  const visible = files.filter(({ names }) => !names.some((name) => name.startsWith('.') || name === 'node_modules'))
  return [printLine(visible, path), ...printEntries(path, visible, 1)]
}

function printEntries(path: string, files: readonly SizedFile[], depth: number): string[] {
  const names = [...new Set(files.map((file) => file.names[0] ?? ''))].toSorted()
  return names.flatMap((name) => {
    const found = files.filter((file) => file.names[0] === name)
    const inside = found.filter((file) => file.names.length > 1).map(below)
    // People can give several notes the same title: the newest is the one that is read.
    const own = found.filter((file) => file.names.length === 1).slice(0, 1)
    const deeper = depth < maxDepth ? printEntries(`${path}/${name}`, inside, depth + 1) : []
    return [
      ...own.map((file) => printLine([file], `${path}/${name}`)),
      ...(inside.length > 0 ? [printLine(inside, `${path}/${name}/`), ...deeper] : []),
    ]
  })
}

const below = ({ names, bytes }: SizedFile): SizedFile => ({ names: names.slice(1), bytes })

const printLine = (files: readonly SizedFile[], path: string) =>
  `${printSize(files.reduce((sum, { bytes }) => sum + bytes, 0))}\t${path}`

function printSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2
  const size = bytes / 1024 ** power
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${['B', 'K', 'M'][power]}`
}
