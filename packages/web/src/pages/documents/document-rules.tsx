import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Select, Switch, Text } from '@mantine/core'
import { useId } from 'react'
import { useAction } from '../../api/queries.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { inheritModes } from './document-looks.ts'
import classes from './documents-page.module.css'
import { InheritedNote } from './inherited-note.tsx'
import { documentReads } from './written-text.ts'
import { useMay } from '../../shell/role.ts'

interface Rules {
  agentEditable?: boolean
  appendOnly?: boolean
  inheritMode?: PersonsDocument['inheritMode']
}

/** What agents may do with a document, and which text they get. Changes take effect immediately. */
export function DocumentRules({ vaultId, document }: { vaultId: string; document: PersonsDocument }) {
  const { documentType, agentEditable, appendOnly, inheritMode } = document
  const id = useId()
  const edit = useAction('update-document-rules', { refreshes: documentReads })
  const isFixed = !useMay('admin') || edit.isPending
  const change = (rules: Rules, done: string) =>
    edit.mutate(
      { vaultId, documentType, ...rules },
      { onSuccess: () => toast(done), onError: (error) => toastError(error) },
    )
  return (
    <div className={classes.rules} role="group" aria-label="Document rules">
      <Switch
        classNames={{ root: classes.rule, body: classes.ruleBody }}
        labelPosition="left"
        label="Agents can edit"
        description="If this is off, only people can edit."
        checked={agentEditable}
        disabled={isFixed}
        onChange={({ currentTarget: { checked } }) =>
          change({ agentEditable: checked }, checked ? 'Agents can edit this document' : 'Locked for agents')
        }
      />
      {agentEditable && (
        <Switch
          classNames={{ root: classes.rule, body: classes.ruleBody }}
          labelPosition="left"
          label="Append only"
          description="Agents can add text but not change it."
          checked={appendOnly}
          disabled={isFixed}
          onChange={({ currentTarget: { checked } }) =>
            change({ appendOnly: checked }, checked ? 'Agents can only append' : 'Agents can edit the whole text')
          }
        />
      )}
      <div className={classes.rule}>
        <div className={classes.ruleWords}>
          <Text component="label" size="sm" htmlFor={`${id}-mode`}>
            Agents read
          </Text>
          <InheritedNote document={document} id={`${id}-note`} />
        </div>
        <Select
          id={`${id}-mode`}
          aria-describedby={`${id}-note`}
          w={{ base: '100%', xs: 340 }}
          data={inheritModes}
          value={inheritMode}
          allowDeselect={false}
          disabled={isFixed}
          onChange={(mode) => {
            const chosen = inheritModes.find(({ value }) => value === mode)
            if (chosen !== undefined) change({ inheritMode: chosen.value }, 'Saved')
          }}
        />
      </div>
    </div>
  )
}
