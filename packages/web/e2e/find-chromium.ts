import { existsSync } from 'node:fs'

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser that the pages are tested in: the one that HOLDFAST_CHROMIUM names, or one that is installed. */
export const findChromium = (): string | undefined =>
  [process.env['HOLDFAST_CHROMIUM'] ?? '', ...usual].find((path) => path !== '' && existsSync(path))
