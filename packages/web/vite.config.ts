import react from '@vitejs/plugin-react'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const compressible = /\.(js|css|svg)$/

/**
 * Compresses files at build time, because the server must not compress responses that contain secrets. Runs after all
 * files are final.
 */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => compressible.test(name))
      await Promise.all(names.map((name) => compress(join(dir, name))))
    },
  }
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes))
}

/**
 * The first script blocks rendering, because otherwise the first paint would use the system's color scheme instead of the
 * chosen one. It imports the dashboard's files only after that paint, so the page preloads them.
 */
function startBeforeMain(): Plugin {
  return {
    name: 'start-before-main',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const main = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'main')
        if (main?.type !== 'chunk') throw new Error('The dashboard is not where the page looks for it')
        const page = html.replace('<script type="module"', '$& blocking="render"')
        if (page === html) throw new Error('The first script is not where the page looks for it')
        const scripts = [main.fileName, ...main.imports].filter(
          (name) => !(bundle[name] as { isEntry?: boolean }).isEntry,
        )
        const links = [
          ...Array.from(main.viteMetadata?.importedCss ?? [], (name) => ({ rel: 'preload', as: 'style', name })),
          ...scripts.map((name) => ({ rel: 'modulepreload', name })),
        ]
        return {
          html: page,
          tags: links.map(({ name, ...attrs }) => ({
            tag: 'link',
            attrs: { ...attrs, crossorigin: true, href: `/${name}` },
            injectTo: 'head' as const,
          })),
        }
      },
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), startBeforeMain(), compressAssets()],
  // The server replaces this with a new nonce in each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // Inlined assets would need a policy that allows data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // React, Mantine and the router. e2e/first-load.e2e.ts has the limit of the first load.
    chunkSizeWarningLimit: 800,
  },
  // `npx vite` next to a running server, to work on the pages.
  server: { proxy: { '/api': 'http://127.0.0.1:8420' } },
})
