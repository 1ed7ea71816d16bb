import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Box, Button, Group, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { refresh, useAction, useOperation } from '../../api/queries.ts'
import { EditConflict } from '../../components/edit-conflict.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { formatCount } from '../../components/time-text.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { documentReads, maxCharacters } from './document-looks.ts'
import classes from './documents-page.module.css'
import type { DocumentDraft } from './use-document-draft.ts'

interface Props {
  vaultId: string
  document: PersonsDocument
}

export function DocumentEditor({ vaultId, document, draft }: Props & { draft: DocumentDraft }) {
  const { documentType, ownContent, template } = document
  const [isOutdated, setOutdated] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const client = useQueryClient()
  useShortcut('e', 'Write', () => field.current?.focus())
  const edit = useAction('edit-document', { refreshes: documentReads })
  const save = () =>
    edit.mutate(
      { vaultId, documentType, content: draft.text, expectedVersion: draft.version },
      {
        onSuccess({ document: saved, updated }) {
          draft.keepOn(saved)
          toast(updated ? 'Saved' : 'Nothing was to change')
        },
        onError(error) {
          if (!(error instanceof CallError && error.status === 409)) return toastError(error)
          setOutdated(true)
          void refresh(client, documentReads)
        },
      },
    )
  return (
    <>
      {isOutdated && (
        <Box mb="md">
          <Conflict
            vaultId={vaultId}
            document={document}
            version={draft.version}
            onKeepMine={(newest) => {
              draft.keepOn(newest)
              setOutdated(false)
            }}
            onTakeTheirs={(newest) => {
              draft.beginFrom(newest)
              setOutdated(false)
            }}
          />
        </Box>
      )}
      <div className={classes.sides}>
        <div className={classes.side}>
          <Textarea
            ref={field}
            label="This vault’s own text"
            description={ownContent === null ? 'Nothing yet.' : 'Markdown is shown as such.'}
            className={classes.text}
            autosize
            minRows={14}
            maxRows={30}
            maxLength={maxCharacters}
            value={draft.text}
            onChange={({ currentTarget }) => draft.write(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault()
                if (draft.isDirty && !isOutdated) save()
              }
              // The way out for keys, which single-letter shortcuts need.
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
          />
          <div className={classes.bar}>
            <Text size="sm" c="dimmed">
              {formatCount(draft.text.length)} of {formatCount(maxCharacters)} characters
              {draft.isDirty && ', not saved'}
            </Text>
            <Group gap="xs">
              {draft.text !== template && (
                <Button variant="default" onClick={() => draft.write(template)}>
                  Start from template
                </Button>
              )}
              {draft.isDirty && (
                <Button variant="default" onClick={() => draft.write(ownContent ?? '')}>
                  Discard
                </Button>
              )}
              <Button onClick={save} disabled={!draft.isDirty || isOutdated} loading={edit.isPending}>
                Save
              </Button>
            </Group>
          </div>
        </div>
        <Preview text={draft.text} template={template} />
      </div>
    </>
  )
}

function Preview({ text, template }: { text: string; template: string }) {
  return (
    <div className={classes.side}>
      <div className={classes.sideTitle}>{text === '' ? 'As shipped, until you write it' : 'Preview'}</div>
      <div className={classes.preview}>
        <Markdown text={text === '' ? template : text} />
      </div>
    </div>
  )
}

interface ConflictProps extends Props {
  version: number
  onKeepMine: (newest: PersonsDocument) => void
  onTakeTheirs: (newest: PersonsDocument) => void
}

function Conflict({ vaultId, document: { documentType }, ...rest }: ConflictProps) {
  const query = useOperation('browse-documents', { vaultId, documentType })
  return (
    <EditConflict
      query={query}
      read={({ documents }) => documents[0] as PersonsDocument}
      print={({ ownContent }) => ownContent ?? ''}
      {...rest}
    />
  )
}
