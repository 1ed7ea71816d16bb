import { Tag, tags } from '@lezer/highlight'
import { GFM, parser, type MarkdownConfig } from '@lezer/markdown'

export const hashTagStyle = Tag.define()

/** `[[Title]]` and `#tag`, which are not part of Markdown. Neither is read inside code. */
const wikiSyntax: MarkdownConfig = {
  defineNodes: [
    { name: 'WikiLink', style: { 'WikiLink/...': tags.link } },
    { name: 'WikiMark', style: tags.processingInstruction },
    { name: 'HashTag', style: hashTagStyle },
  ],
  parseInline: [
    {
      // For each space, the parser counts the spaces after it: 100,000 of them took a minute.
      name: 'Spaces',
      before: 'HardBreak',
      parse(cx, next, pos) {
        if (next !== space) return -1
        let end = pos + 1
        while (cx.char(end) === space) end++
        return cx.char(end) === newline ? -1 : end
      },
    },
    {
      name: 'WikiLink',
      before: 'Link',
      parse(cx, next, pos) {
        // `![[Title]]` embeds a note elsewhere. Here it is a link; the mark is hidden.
        if (next === exclamationMark && cx.char(pos + 1) === openingBracket && cx.char(pos + 2) === openingBracket)
          return cx.addElement(cx.elt('WikiMark', pos, pos + 1))
        if (next !== openingBracket || cx.char(pos + 1) !== openingBracket) return -1
        const found = wikiLink.exec(cx.slice(pos, Math.min(cx.end, pos + maxLength)))
        if (found === null) return -1
        const end = pos + found[0].length
        const marks = [cx.elt('WikiMark', pos, pos + 2), cx.elt('WikiMark', end - 2, end)]
        return cx.addElement(cx.elt('WikiLink', pos, end, marks))
      },
    },
    {
      name: 'HashTag',
      parse(cx, next, pos) {
        if (next !== hash || (pos > cx.offset && !/\s|\(/.test(cx.slice(pos - 1, pos)))) return -1
        const found = hashTag.exec(cx.slice(pos, Math.min(cx.end, pos + maxTagLength + 1)))
        return found === null ? -1 : cx.addElement(cx.elt('HashTag', pos, pos + found[0].length))
      },
    },
  ],
}

const newline = 10
const space = 32
const exclamationMark = 33
const openingBracket = 91
const hash = 35
const maxLength = 1_000
const maxTagLength = 100
const wikiLink = /^\[\[[^[\]\n]+\]\]/
/** A number is not a tag: `#12` is an issue. */
const hashTag = /^#(?=[\d_/-]*\p{L})[\p{L}\p{N}_/-]+/u

/** The parser of everything that reads Markdown here: the editor, its headings and tags, and the pages. */
export const noteParser = parser.configure([GFM, wikiSyntax])
