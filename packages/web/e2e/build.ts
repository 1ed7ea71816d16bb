// Builds the dashboard once before the browser tests, so that the build doesn't count toward a test's timeout.

import { join } from 'node:path'
import { provideWeb } from '../../../scripts/bootstrap-web.mjs'
import { findChromium } from './find-chromium.ts'

export async function setup(): Promise<void> {
  if (findChromium() !== undefined) await provideWeb(join(import.meta.dirname, '..', '..', '..'), process.execPath)
}
