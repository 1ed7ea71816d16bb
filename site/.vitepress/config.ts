import { transformerStyleToClass } from '@shikijs/transformers'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type MarkdownOptions } from 'vitepress'
import { cleanPages } from './clean-pages.ts'
import { writeLicenses } from './write-licenses.ts'
import { createSidebar } from './sidebar.ts'
import { slugify } from './slugify.ts'

const pages = join(import.meta.dirname, '../.pages')
const mark = join(import.meta.dirname, '../../packages/web/src/shell/mark.svg')

// The server forbids styles in a page, so the colors of code are classes.
const codeColors = transformerStyleToClass({ classPrefix: 'code-' })

/** The same for the alignment of table cells. */
const alignByClass: MarkdownOptions['config'] = (markdown) => {
  for (const rule of ['th_open', 'td_open'])
    markdown.renderer.rules[rule] = (tokens, at, options, _env, self) => {
      const token = tokens[at]
      const align = /text-align:(\w+)/.exec(token?.attrGet('style') ?? '')?.[1]
      if (token && align !== undefined) token.attrs = [['class', `align-${align}`]]
      return self.renderToken(tokens, at, options)
    }
}

export default defineConfig({
  title: 'Holdfast',
  description: 'Encrypted memory for software agents.',
  lang: 'en',
  base: '/docs/',
  srcDir: '.pages',
  outDir: 'dist',
  // The index of the search lists pages in the order in which they are read: at the same time, each build had another.
  buildConcurrency: 1,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/mark.svg' }],
    ['link', { rel: 'stylesheet', href: '/docs/code.css' }],
  ],
  // The alternative is a script in each page.
  metaChunk: true,
  // Otherwise it adds a style to the page.
  appearance: { disableTransition: false },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [codeColors],
    anchor: { slugify },
    toc: { slugify },
    config: alignByClass,
  },
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Use it from', link: '/use/' },
      { text: 'Operate', link: '/self-hosting' },
      { text: 'Reference', link: '/api/operations' },
    ],
    sidebar: createSidebar(pages),
    footer: { message: 'Apache-2.0' },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // Of the reference, only titles and first lines: its tables of fields would hide everything else.
        _render: (source, env, markdown) =>
          markdown.render(env.relativePath.startsWith('api/') ? (source.split('\n| ')[0] ?? '') : source, env),
      },
    },
  },
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4000 }, plugins: [writeLicenses()] },
  buildEnd: ({ outDir }) => {
    writeFileSync(join(outDir, 'code.css'), codeColors.getCSS())
    copyFileSync(mark, join(outDir, 'mark.svg'))
    cleanPages(outDir, '/docs/')
  },
})
