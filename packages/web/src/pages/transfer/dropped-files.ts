import { maxFiles } from '@holdfast/transfer/source'
import { toastError } from '../../shell/toasts.tsx'
import { importState } from './import-state.ts'
import type { ChosenFile } from './open-files.ts'
import { previewFiles } from './run-in-browser.ts'

/** Previews what was dropped on the window, as if it had been chosen on the import page. Imports nothing. */
export async function previewDropped(vaultId: string, dropped: readonly Dropped[]): Promise<void> {
  const { step } = importState()
  if (step === 'reading' || step === 'running')
    return toastError(new Error('Another import is running. Wait until it ends, then drop the files again.'))
  try {
    await previewFiles(vaultId, await listFiles(dropped), 'auto')
  } catch (error) {
    toastError(error instanceof Error ? error : new Error('Can’t read the dropped files.'))
  }
}

/** A file or a folder. Browsers that know no folders give only the file. */
export type Dropped = FileSystemEntry | File

/** All files, with the paths that they have when their folder is chosen. One more than the limit is enough to refuse them. */
async function listFiles(dropped: readonly Dropped[]): Promise<ChosenFile[]> {
  const found: ChosenFile[] = []
  const waiting = [...dropped]
  for (let one = waiting.shift(); one !== undefined && found.length <= maxFiles; one = waiting.shift()) {
    if (one instanceof File) found.push({ file: one, path: '' })
    else if (isFolder(one)) waiting.push(...(await entriesOf(one)))
    else found.push(await openEntry(one as FileSystemFileEntry))
  }
  return found
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

async function openEntry(entry: FileSystemFileEntry): Promise<ChosenFile> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
  const path = entry.fullPath.replace(/^\//, '')
  return { file, path: path.includes('/') ? path : '' }
}

/** A browser gives them in batches, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0 || all.length > maxFiles) return all
    all.push(...some)
  }
}
