/**
 * Puts recalled text between marks. They tell the server not to extract it again, and a model where data starts and ends.
 * Marks in the text itself lose their bracket, so stored text cannot close the marks early.
 */
export const markRecalled = (text: string, vault?: string): string => fenceRecalled(defuseMarks(text), vault)

/** Like `markRecalled`, for text whose stored parts are already defused and which contains its own marks. */
export function fenceRecalled(text: string, vault?: string): string {
  const name = vault === undefined ? '' : ` vault="${defuseMarks(nameLine(vault)).replaceAll(/["<>]/g, "'")}"`
  return `<holdfast-recall${name}>\n${text}\n</holdfast-recall>`
}

// Invisible between two letters: white space, control characters and ignorable characters.
const invisible = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}]*`
const mark = Array.from('holdfast').join(invisible)
// Soft hyphens and other characters look like a dash.
const dash = String.raw`[\p{Pd}\u00ad\u02d7\u06d4\u2043\u2212\u2796]`
const marks = new RegExp(`[<﹤＜](?=[\\s/\\p{C}\\p{Default_Ignorable_Code_Point}]*${mark}${invisible}${dash})`, 'giu')

/** Changes stored text so it can neither open nor close one of our marks. Keeps its length. Runs in linear time. */
export const defuseMarks = (text: string): string => text.replaceAll(marks, '‹')

/** Prints a name on one line, without invisible characters. */
export const nameLine = (name: string): string =>
  name
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
