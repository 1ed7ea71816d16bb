import { colorSchemeKey } from './shell/color-scheme-key.ts'

/**
 * The page's first script: what stands in the page is painted, in the colours that were chosen, before the dashboard keeps the
 * browser busy. Its files are fetched meanwhile (vite.config.ts).
 */

/** A tab that nobody looks at paints nothing. */
const paintedWithinMs = 200

function readScheme(): string | null {
  try {
    return localStorage.getItem(colorSchemeKey)
  } catch {
    // A browser that keeps nothing has no choice to tell.
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
    const place = document.querySelector('.starting')
    if (place === null) return
    place.setAttribute('role', 'alert')
    const again = document.createElement('a')
    again.href = location.href
    again.textContent = 'Load again'
    place.replaceChildren('The server was updated in the meantime, or cannot be reached. ', again)
  })
