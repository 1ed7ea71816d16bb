/**
 * Characters of a name that a reader doesn't see, sees as a blank, or that change the direction of what follows: two names that differ only
 * by them look the same, and one can look as if it were another text.
 *
 * Some are needed where they stand: they join emoji (👩‍💻) or show a character as one (❤️, 1️⃣), and shape letters of Persian and of the scripts
 * of India. There, and only there, they are part of a name.
 */

const emoji = String.raw`\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]?`
const keycap = String.raw`[0-9#*]\u{fe0f}\u{20e3}`
/** After the sign that removes a vowel. */
const indic = String.raw`[\u{94d}\u{9cd}\u{a4d}\u{acd}\u{b4d}\u{bcd}\u{c4d}\u{ccd}\u{d4d}\u{dca}][\u{200c}\u{200d}]`
/** After a letter that would otherwise join the next one. After others, nothing would be seen of it. */
const persian = String.raw`[ئبپتثجچحخسشصضطظعغفقکگكلمنهیىي]\u{200c}(?=\p{Script=Arabic})`
const needed = String.raw`${emoji}(?:\u{200d}${emoji})*|${keycap}|${indic}|${persian}`
const hidden = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u{2800}\u{1d159}]`

const either = new RegExp(String.raw`(${needed})|${hidden}+`, 'gu')

/** The name without such characters. */
export const withoutHidden = (name: string): string => name.replaceAll(either, '$1')

export const hasHidden = (name: string): boolean => withoutHidden(name) !== name

// Not all of `Cf`: Arabic number signs show. Control characters are data, which many programs show in some way.
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u{2800}\u{fff9}-\u{fffb}\u{1d159}]/u

/** Whether a reader sees nothing of a text. One visible character makes it a text, whatever joins or shapes it. */
export const isBlank = (text: string): boolean => !visible.test(text)
