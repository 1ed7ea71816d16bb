import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  FileButton,
  Group,
  Progress,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { File, FolderOpen, History, Import, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { ImportFindings } from './import-report.tsx'
import { chosenFiles } from './open-files.ts'
import { titleOfSource } from './source-titles.ts'
import {
  keepInterrupted,
  readInterrupted,
  setImportState,
  stopImport,
  useImportState,
  type ImportState,
} from './import-state.ts'
import { updatePreview, previewFiles, runPreviewed, sourceNames, totalOf } from './run-in-browser.ts'
import classes from './transfer-page.module.css'

const sourceOptions = [
  { value: 'auto', label: 'Detect automatically' },
  ...sourceNames.map((value) => ({ value, label: titleOfSource(value) })),
]

type Of<Step extends ImportState['step']> = Extract<ImportState, { step: Step }>

export function ImportPanel({ vaultId }: { vaultId: string }) {
  const state = useImportState()
  if (state.step === 'reading') return <Busy text={`Reading “${state.name}”`} done={state.done} />
  if ((state.step === 'preview' || state.step === 'done') && state.vaultId !== vaultId)
    return <Choose vaultId={vaultId} problem={undefined} />
  if (state.step === 'preview') return <Preview vaultId={vaultId} state={state} />
  if (state.step === 'running') return <Busy text={`Importing “${state.name}”`} done={state.done} total={state.total} />
  if (state.step === 'done') return <Done state={state} />
  return <Choose vaultId={vaultId} problem={state.problem} />
}

function Choose({ vaultId, problem }: { vaultId: string; problem: string | undefined }) {
  const [source, setSource] = useState('auto')
  const folder = useRef<HTMLInputElement>(null)
  const interrupted = readInterrupted()
  const look = (chosen: readonly File[]) => {
    if (chosen.length > 0) void previewFiles(vaultId, chosenFiles(chosen), source)
  }
  return (
    <Stack gap="md">
      {interrupted?.vaultId === vaultId && (
        <Alert
          className={classes.callout}
          color="yellow"
          variant="light"
          icon={<History size={18} aria-hidden />}
          title="An import was interrupted"
        >
          The import of “{interrupted.name}” stopped after {formatCount(interrupted.done)} records. Choose the same
          files to continue.{' '}
          <Anchor component="button" type="button" underline="always" onClick={() => forget()}>
            Dismiss
          </Anchor>
        </Alert>
      )}
      {problem !== undefined && (
        <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />} role="alert">
          <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{problem}</Text>
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        You see a preview before anything is imported. The files are read in your browser and aren’t uploaded. Existing
        records are never overwritten.
      </Text>
      <Select
        label="Format"
        data={sourceOptions}
        value={source}
        allowDeselect={false}
        onChange={(value) => setSource(value ?? 'auto')}
        maw={340}
      />
      <Group gap="xs">
        <FileButton multiple onChange={look}>
          {(props) => (
            <Button {...props} leftSection={<File size={16} aria-hidden />}>
              Choose files or a zip
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<FolderOpen size={16} aria-hidden />}
          onClick={() => folder.current?.click()}
        >
          Choose a folder
        </Button>
        <input
          ref={folder}
          type="file"
          hidden
          aria-label="Folder to import"
          onChange={({ currentTarget }) => look([...(currentTarget.files ?? [])])}
          {...{ webkitdirectory: '' }}
        />
      </Group>
      <Text size="sm" c="dimmed" visibleFrom="xs">
        You can also drop files or folders anywhere in this window.
      </Text>
    </Stack>
  )
}

function forget(): void {
  keepInterrupted(undefined)
  setImportState({ step: 'choose' })
}

function Busy({ text, done, total }: { text: string; done: number; total?: number }) {
  return (
    <Stack gap="sm" aria-busy="true">
      <Text fw={550}>{text}</Text>
      <Progress
        value={total === undefined || total === 0 ? 100 : Math.min(100, (100 * done) / total)}
        animated={total === undefined}
        aria-label={text}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" className={classes.count} aria-live="polite">
          {formatCount(done)}
          {total !== undefined && ` of ${formatCount(total)}`} records
        </Text>
        <Button variant="default" size="xs" onClick={stopImport}>
          Stop
        </Button>
      </Group>
    </Stack>
  )
}

function Preview({ vaultId, state: { source, report, isDocument } }: { vaultId: string; state: Of<'preview'> }) {
  const [name, setName] = useState(source.name)
  const client = useQueryClient()
  // The name decides which records are new.
  const isRenamed = name.trim() !== '' && name.trim() !== source.name
  const total = totalOf(report)
  const fresh = Object.values(report.counts).reduce((sum, { created, restored }) => sum + created + restored, 0)
  return (
    <Stack gap="md">
      <Text>
        <b>{titleOfSource(report.source)}</b>, “{source.name}”: {countOf(total, 'record')}, {formatCount(fresh)} new.
        Nothing has been imported yet.
      </Text>
      <ImportFindings report={report} />
      <TextInput
        label="Source name"
        description="Identifies the notes of this source. Use the same name to continue an earlier import."
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maw={340}
      />
      {report.source === 'agents-md' && (
        <Checkbox
          label="Import as the document “instructions” instead of one memory per section"
          checked={isDocument}
          onChange={({ currentTarget }) => void updatePreview(vaultId, { isDocument: currentTarget.checked })}
        />
      )}
      <Group gap="xs">
        {isRenamed ? (
          <Button onClick={() => void updatePreview(vaultId, { name: name.trim() })}>Update preview</Button>
        ) : (
          <Button
            leftSection={<Import size={16} aria-hidden />}
            disabled={fresh === 0}
            onClick={() => void runPreviewed(vaultId, () => void client.invalidateQueries())}
          >
            Import {countOf(fresh, 'record', 'records')}
          </Button>
        )}
        <Button variant="default" onClick={() => setImportState({ step: 'choose' })}>
          Choose other files
        </Button>
      </Group>
    </Stack>
  )
}

function Done({ state: { report, problem } }: { state: Of<'done'> }) {
  const hasRecords = problem?.isUndone !== true
  return (
    <Stack gap="md">
      {problem === undefined ? (
        <Text fw={550}>Imported. You can undo this under Import &amp; export.</Text>
      ) : (
        <Alert
          color="yellow"
          variant="light"
          icon={<TriangleAlert size={18} aria-hidden />}
          title={problem.isUndone ? 'The import was undone while it was running' : 'The import stopped early'}
          role="alert"
        >
          {problem.isUndone
            ? 'The remaining records were not imported. Choose the same files to import everything again.'
            : `${problem.text} The records imported so far are kept. Choose the same files to continue, or undo the import under Import & export.`}
        </Alert>
      )}
      {hasRecords && <ImportFindings report={report} />}
      <Group gap="xs">
        <Button onClick={() => setImportState({ step: 'choose' })}>Import more files</Button>
        {hasRecords && (
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to={report.counts.note === undefined ? '/memories' : '/notes'} />}
          >
            View records
          </Button>
        )}
      </Group>
    </Stack>
  )
}
