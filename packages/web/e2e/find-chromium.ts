import { existsSync } from 'node:fs'

const commonPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser for the tests: HOLDFAST_CHROMIUM, or else an installed Chromium or Chrome. */
export const findChromium = (): string | undefined =>
  [process.env['HOLDFAST_CHROMIUM'] ?? '', ...commonPaths].find((path) => path !== '' && existsSync(path))
