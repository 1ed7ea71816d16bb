import { formatCount } from '../../components/text/time-text.ts'
import classes from './context-page.module.css'
import { frameSection, measureText } from './measure-text.ts'
import type { Preview } from './preview-state.ts'

const names: Readonly<Record<string, string>> = {
  constraints: 'Constraints',
  tasks: 'Tasks',
  pendingMessages: 'Messages',
  documents: 'Documents',
  vaults: 'Other vaults',
  recentAgents: 'Active agents',
  episodic: 'Episodes',
  facts: 'Facts',
  degraded: 'Not available',
}

export const nameOfSection = (section: string) => names[section] ?? section

interface Row {
  section: string
  entries: number
  leftOut: number
  chars: number
}

/** What the text that the model receives consists of, in order of priority: when space runs out, the last sections are cut first. */
export function PreviewSections({ preview }: { preview: Preview }) {
  const measured = measureText(preview.text)
  const rows = preview.sections.map(({ name, omitted }): Row => {
    const { chars = 0, entries: printed = 0 } = measured.find(({ section }) => section === name) ?? {}
    const available = countPrintable(preview, name)
    // Vaults and agents are printed as one line.
    const entries = name === 'vaults' || name === 'recentAgents' ? (chars > 0 ? available : 0) : printed
    return { section: name, entries, leftOut: available + omitted - entries, chars }
  })
  const rest = preview.text.length - rows.reduce((sum, { chars }) => sum + chars, 0)
  const leftOut = rows.reduce((sum, row) => sum + row.leftOut, 0)
  // Sections without entries, and a column of zeros, would say nothing.
  const filled = rows.filter((row) => row.entries > 0 || row.leftOut > 0)
  return (
    <table className={classes.sections} aria-label="Sections">
      <thead>
        <tr>
          <th scope="col">Section</th>
          <th scope="col">Entries</th>
          {leftOut > 0 && <th scope="col">Left out</th>}
          <th scope="col">Characters</th>
        </tr>
      </thead>
      <tbody>
        {filled.map((row) => (
          <tr key={row.section}>
            <th scope="row">{nameOfSection(row.section)}</th>
            <td>{formatCount(row.entries)}</td>
            {leftOut > 0 && <td>{orDash(row.leftOut)}</td>}
            <td>{formatCount(row.chars)}</td>
          </tr>
        ))}
        <tr key={frameSection}>
          <th scope="row">Introduction and tags</th>
          <td>–</td>
          {leftOut > 0 && <td>–</td>}
          <td>{formatCount(rest)}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{formatCount(rows.reduce((sum, { entries }) => sum + entries, 0))}</td>
          {leftOut > 0 && <td>{formatCount(leftOut)}</td>}
          <td>{formatCount(preview.text.length)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

const orDash = (count: number) => (count === 0 ? '–' : formatCount(count))

/** How many entries of a section the answer has that the text can show: no empty documents, and not the vault itself. */
function countPrintable({ answer, sections }: Preview, section: string): number {
  if (section === 'documents') return answer.documents.filter(({ content }) => content !== '').length
  if (section === 'vaults')
    return answer.vaults.filter(({ vaultId }) => vaultId !== answer.sessionContext.vault.vaultId).length
  return sections.find(({ name }) => name === section)?.entries ?? 0
}
