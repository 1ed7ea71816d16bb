import { byPath, maxFiles, maxReadBytes, SourceError, type Source, type SourceFile } from '@holdfast/transfer/source'
import { piecesOf, readZip } from './zip.ts'

export interface ChosenFile {
  file: File
  /** From the chosen folder on, with its name; empty for a file that was chosen by itself. */
  path: string
}

export const chosenFiles = (files: Iterable<File>): ChosenFile[] =>
  Array.from(files, (file) => ({ file, path: file.webkitRelativePath }))

/** Turns the chosen files into a source, as the command line does: opens a zip file, or reads a folder from its root. */
export async function openFiles(chosen: readonly ChosenFile[]): Promise<Source> {
  const [first] = chosen
  if (first === undefined) throw new SourceError('Choose a file to import.', { isMissing: true })
  if (chosen.length > maxFiles) throw new SourceError(`Too many files. You can import up to ${maxFiles} at once.`)
  const close = async () => {}
  const start = await startOf(first.file)
  if (chosen.length === 1 && start === 'HFXPRT01')
    throw new SourceError('This export is encrypted with a passphrase. Import it on the command line: holdfast import.')
  if (chosen.length === 1 && start.startsWith('PK'))
    return { name: first.file.name.replace(/\.zip$/i, ''), files: await readZip(first.file), close }
  const [folder = ''] = first.path.split('/')
  const name = folder !== '' ? folder : chosen.length === 1 ? first.file.name : 'Files'
  return { name, files: chosen.map(plainFile).toSorted(byPath), close }
}

const startOf = async (file: File) => new TextDecoder('latin1').decode(await file.slice(0, 8).arrayBuffer())

function plainFile({ file, path: chosenPath }: ChosenFile): SourceFile {
  const { name, size, lastModified } = file
  const path = chosenPath === '' ? name : chosenPath.slice(chosenPath.indexOf('/') + 1)
  const unreadable = () => new SourceError(`Can’t read ${path}. It was moved or changed after you chose it.`)
  return {
    path,
    bytes: size,
    modifiedAt: lastModified,
    stream: async () => piecesOf(file.stream()),
    async read() {
      if (size > maxReadBytes) throw new SourceError(`${path} is larger than ${maxReadBytes} bytes.`)
      return new Uint8Array(
        await file.arrayBuffer().catch(() => {
          throw unreadable()
        }),
      )
    },
  }
}
