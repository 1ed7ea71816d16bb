/** What one edit changed, as lines with `-` and `+`, and nothing of what stands around them; empty where nothing did. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return []
  const [old, now] = [before, after].map((text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))) as [
    string[],
    string[],
  ]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  return [
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
  ]
}
