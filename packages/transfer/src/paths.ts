/** Paths in sources. They use `/` on every system. */

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Returns `.` for files at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : path.slice(0, slash)
}

/** Resolves `.` and `..`. A path that leads out of the top keeps its `..`. */
export function join(folder: string, path: string): string {
  const names: string[] = []
  for (const name of `${folder}/${path}`.split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else names.push(name)
  }
  return names.length === 0 ? '.' : names.join('/')
}
