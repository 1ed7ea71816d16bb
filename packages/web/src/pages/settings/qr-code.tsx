import { encodeQR } from 'qr'
import { useMemo } from 'react'
import styles from './settings-page.module.css'

/** White border in modules, which cameras need. */
const border = 4

/** Draws the code in the browser, since the text is a secret that must not be sent anywhere. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border }), [text])
  const size = modules.length
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={printPath(modules)} fill="#000" />
    </svg>
  )
}

/** One square per dark module. */
const printPath = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
