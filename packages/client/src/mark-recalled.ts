/**
 * Sets text that came out of the memory between the marks by which the service knows not to remember it once more, and a
 * model where data begins and ends. Marks in the text itself lose their bracket: stored text cannot end the part early.
 */
export const markRecalled = (text: string, vault?: string): string => fenceRecalled(defuseMarks(text), vault)

/** The same for text whose stored parts have been defused one by one, and which holds marks of its own. */
export function fenceRecalled(text: string, vault?: string): string {
  const name = vault === undefined ? '' : ` vault="${defuseMarks(nameLine(vault)).replaceAll(/["<>]/g, "'")}"`
  return `<holdfast-recall${name}>\n${text}\n</holdfast-recall>`
}

// What a reader does not see between two letters: white space, controls, and characters that are there to be ignored.
const unseen = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}]*`
const mark = Array.from('holdfast').join(unseen)
// A soft hyphen and others that are no dashes look like one.
const dash = String.raw`[\p{Pd}\u00ad\u02d7\u06d4\u2043\u2212\u2796]`
const marks = new RegExp(`[<﹤＜](?=[\\s/\\p{C}\\p{Default_Ignorable_Code_Point}]*${mark}${unseen}${dash})`, 'giu')

/** Stored text that can neither open nor close a part of ours, however it is written. As long as it was. Linear. */
export const defuseMarks = (text: string): string => text.replaceAll(marks, '‹')

/** A name in one line, without what cannot be seen of it. */
export const nameLine = (name: string): string =>
  name
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
