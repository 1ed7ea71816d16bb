import { byPath, maxFiles, maxReadBytes, SourceError, type Source, type SourceFile } from '@holdfast/transfer/source'
import { piecesOf, readZip } from './zip.ts'

/** What somebody chose in the browser, as the command line has it: a zip file is opened, a folder is read from its top. */
export async function openFiles(chosen: readonly File[]): Promise<Source> {
  const [first] = chosen
  if (first === undefined) throw new SourceError('No file was chosen.', { isMissing: true })
  if (chosen.length > maxFiles) throw new SourceError(`These are more than ${maxFiles} files.`)
  const close = async () => {}
  const start = await startOf(first)
  if (chosen.length === 1 && start === 'HFXPRT01')
    throw new SourceError('This export is under a passphrase, which only the command line can open: holdfast import.')
  if (chosen.length === 1 && start.startsWith('PK'))
    return { name: first.name.replace(/\.zip$/i, ''), files: await readZip(first), close }
  const [folder = ''] = first.webkitRelativePath.split('/')
  const name = folder !== '' ? folder : chosen.length === 1 ? first.name : 'Files'
  return { name, files: chosen.map(plainFile).toSorted(byPath), close }
}

const startOf = async (file: File) => new TextDecoder('latin1').decode(await file.slice(0, 8).arrayBuffer())

function plainFile(file: File): SourceFile {
  const { name, webkitRelativePath, size, lastModified } = file
  const path = webkitRelativePath === '' ? name : webkitRelativePath.slice(webkitRelativePath.indexOf('/') + 1)
  const unreadable = () => new SourceError(`${path} cannot be read: it was moved or changed meanwhile.`)
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
