import { colorSchemeKey } from './shell/color-scheme-key.ts'

/**
 * The page's first script. It lets the browser paint the start page in the chosen color scheme before the dashboard keeps the
 * browser busy. The dashboard's files load at the same time (vite.config.ts).
 */

/** Limits the wait, since a hidden tab never paints. */
const paintedWithinMs = 200

function readScheme(): string | null {
  try {
    return localStorage.getItem(colorSchemeKey)
  } catch {
    // Storage is disabled, so no choice is stored.
    return null
  }
}

const chosen = readScheme()
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['mantineColorScheme'] = chosen

const painted = new Promise<void>((done) => {
  requestAnimationFrame(() => setTimeout(done))
  setTimeout(done, paintedWithinMs)
})

painted
  .then(() => import('./main.tsx'))
  .catch((error: unknown) => {
    console.error(error)
    const start = document.querySelector('.starting')
    if (start === null) return
    start.setAttribute('role', 'alert')
    const reload = document.createElement('a')
    reload.href = location.href
    reload.textContent = 'Reload'
    start.replaceChildren('The server was updated, or it can’t be reached. ', reload)
  })
