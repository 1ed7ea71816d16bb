import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Select, Switch } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { inheritModes } from './document-looks.ts'
import classes from './documents-page.module.css'
import { InheritedNote } from './inherited-note.tsx'
import { documentReads } from './written-text.ts'

interface Rules {
  agentEditable?: boolean
  appendOnly?: boolean
  inheritMode?: PersonsDocument['inheritMode']
}

/** Who may change a document, and whose text it is. Takes effect at once. */
export function DocumentRules({ vaultId, document }: { vaultId: string; document: PersonsDocument }) {
  const { documentType, agentEditable, appendOnly, inheritMode } = document
  const edit = useAction('edit-document', { refreshes: documentReads })
  // Whatever the text says by now: it stays.
  const change = (rules: Rules, done: string) =>
    edit.mutate(
      { vaultId, documentType, ...rules },
      { onSuccess: () => toast(done), onError: (error) => toastError(error) },
    )
  return (
    <div className={classes.rules} role="group" aria-label="Rules of this document">
      <Switch
        label="Agents may change it"
        description={agentEditable ? 'Switch it off to lock it' : 'Locked: people alone do'}
        checked={agentEditable}
        disabled={edit.isPending}
        onChange={({ currentTarget: { checked } }) =>
          change({ agentEditable: checked }, checked ? 'Agents may change it' : 'Locked for agents')
        }
      />
      <Switch
        label="Only add to it"
        description="Agents append; nothing of it is lost"
        checked={appendOnly}
        disabled={!agentEditable || edit.isPending}
        onChange={({ currentTarget: { checked } }) =>
          change({ appendOnly: checked }, checked ? 'Agents may only add to it' : 'Agents may rewrite it')
        }
      />
      <Select
        label="Agents are given"
        w={{ base: '100%', xs: 320 }}
        data={inheritModes}
        value={inheritMode}
        allowDeselect={false}
        disabled={edit.isPending}
        onChange={(mode) => {
          const chosen = inheritModes.find(({ value }) => value === mode)
          if (chosen !== undefined) change({ inheritMode: chosen.value }, 'Saved')
        }}
      />
      <InheritedNote document={document} />
    </div>
  )
}
