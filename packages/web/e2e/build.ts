// Set-up of a run with browser tests: the dashboard is built once, before the time of any test counts.

import { join } from 'node:path'
import { provideWeb } from '../../../scripts/bootstrap-web.mjs'
import { findChromium } from './find-chromium.ts'

export async function setup(): Promise<void> {
  if (findChromium() !== undefined) await provideWeb(join(import.meta.dirname, '..', '..', '..'), process.execPath)
}
