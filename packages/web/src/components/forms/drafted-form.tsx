import { Button, Group, Text } from '@mantine/core'
import { useForm, type UseFormInput } from '@mantine/form'
import { useEffect, useEffectEvent, useState } from 'react'
import type { refresh } from '../../api/queries.ts'
import { getDraft, setDraft } from '../../shell/drafts.ts'
import { toast } from '../../shell/toasts.tsx'
import { changesBetween, useEditedRecord } from './edited-record.tsx'

interface Options<Saved, Values extends object> {
  /** Names the draft: what is created where, or which record is edited. */
  name: string
  /** The record to edit; undefined creates one. */
  record: Saved | undefined
  valuesOf: (record: Saved | undefined) => Values
  validate: NonNullable<UseFormInput<Values>['validate']>
  /** What a conflict makes outdated. */
  reads?: Parameters<typeof refresh>[1]
}

/**
 * A form that keeps what a person types until they save or cancel: over reloads, after Escape and while they look at something else. Only the
 * changed fields are kept, with the version of the record that they belong to. If the record has changed since, the form starts with a
 * conflict, so that a draft doesn't undo what someone else wrote.
 */
export function useDraftedForm<Saved extends { version: number }, Values extends object>({
  name,
  record,
  valuesOf,
  validate,
  reads = [],
}: Options<Saved, Values>) {
  const key = `form ${name}`
  const [kept] = useState(() => readDraft(getDraft(key), valuesOf(record)))
  const [isRestored, setRestored] = useState(kept !== undefined)
  const form = useForm<Values>({ initialValues: { ...valuesOf(record), ...kept?.changes }, validate })
  const edited = useEditedRecord({ record, version: kept?.version, form, valuesOf, reads })
  const { base, takeTheirs } = edited
  const { values } = form
  const keep = useEffectEvent((from: Saved | undefined, typed: Values) => {
    const changes = changesBetween(valuesOf(from), typed)
    setDraft(key, Object.keys(changes).length === 0 ? '' : JSON.stringify({ version: from?.version, changes }))
  })
  useEffect(() => keep(base, values), [base, values])
  const sayKept = useEffectEvent(() => {
    if (getDraft(key) !== '') toast('Draft kept')
  })
  useEffect(() => () => sayKept(), [])
  return {
    ...edited,
    form,
    isRestored,
    /** Forgets the draft, of a form that was saved or cancelled. */
    drop: () => setDraft(key, ''),
    discard() {
      setRestored(false)
      form.clearErrors()
      if (record === undefined) form.setValues(valuesOf(undefined))
      else takeTheirs(record)
    },
  }
}

interface FormDraft<Values> {
  version: number | undefined
  changes: Partial<Values>
}

/** Undefined if there is no draft, or it fits another form: an earlier version of this page may have stored it. */
function readDraft<Values extends object>(text: string, fresh: Values): FormDraft<Values> | undefined {
  const { version, changes = {} } = parseDraft<Values>(text)
  const isKnown = ([name, value]: [string, unknown]) =>
    typeof value === typeof fresh[name as keyof Values] &&
    Array.isArray(value) === Array.isArray(fresh[name as keyof Values])
  const known = Object.fromEntries(Object.entries(changes).filter(isKnown)) as Partial<Values>
  return Object.keys(known).length === 0 ? undefined : { version, changes: known }
}

function parseDraft<Values>(text: string): Partial<FormDraft<Values>> {
  try {
    return JSON.parse(text === '' ? '{}' : text) as FormDraft<Values>
  } catch {
    return {}
  }
}

/** Says that the form continues a draft, and offers to start over. */
export function DraftRestored({ draft }: { draft: { isRestored: boolean; discard: () => void } }) {
  if (!draft.isRestored) return null
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" role="status">
        Draft restored
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={draft.discard}>
        Discard draft
      </Button>
    </Group>
  )
}
