import { Alert, Group, Tabs, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { call, type InputOf } from '../../api/call.ts'
import { keyOf } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import classes from './context-page.module.css'
import { PreviewItems } from './preview-items.tsx'
import { hookCapChars, titleOfMode, type Preview } from './preview-state.ts'

interface Props {
  input: InputOf<'preview-context'>
  tab: string
  onTab: (tab: string) => void
}

export function PreviewPane({ input, tab, onTab }: Props) {
  const found = useQuery({
    queryKey: keyOf('preview-context', input),
    queryFn: ({ signal }) => call('preview-context', input, signal),
    placeholderData: keepPreviousData,
  })
  return <Loaded query={found}>{(preview) => <Shown preview={preview} tab={tab} onTab={onTab} />}</Loaded>
}

function Shown({ preview, tab, onTab }: Omit<Props, 'input'> & { preview: Preview }) {
  const { answer, text, size, agentId } = preview
  const title = titleOfMode(answer.sessionContext.mode)
  return (
    <section aria-label={`Preview: ${title}`}>
      <Group gap="sm" mb="xs">
        <Title order={2}>{title}</Title>
        {size.text.chars <= hookCapChars ? (
          <StateBadge tone="good">{`Fits the hook limit of ${formatCount(hookCapChars)} characters`}</StateBadge>
        ) : (
          <StateBadge tone="bad">{`Exceeds the hook limit of ${formatCount(hookCapChars)} characters`}</StateBadge>
        )}
      </Group>
      <Text c="dimmed" mb="sm">
        {agentId} gets {formatCount(size.text.chars)} characters, about {formatCount(size.text.estimatedTokens)} tokens.
        As JSON it is {formatCount(size.answer.chars)} characters.
      </Text>
      {answer.degraded.map(({ part, reason }) => (
        <Alert key={part} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          {nameOf(part)}: {reason}
        </Alert>
      ))}
      <Sections sections={preview.sections} />
      <Tabs value={tab} onChange={(next) => onTab(next ?? 'text')} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="text">Text</Tabs.Tab>
          <Tabs.Tab value="items">Items</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="text">
          <CodeBlock isWrapped label="Text the model receives" code={text} />
        </Tabs.Panel>
        <Tabs.Panel value="items">
          <PreviewItems answer={answer} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <CodeBlock isWrapped label="Response of session-start" code={JSON.stringify(answer, undefined, 2)} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

const names: Readonly<Record<string, string>> = {
  constraints: 'Constraints',
  tasks: 'Tasks',
  pendingMessages: 'Messages',
  documents: 'Documents',
  vaults: 'Vaults',
  recentAgents: 'Active agents',
  episodic: 'Episodes',
  facts: 'Facts',
}

const nameOf = (section: string) => names[section] ?? section

/** The sections in order of priority. When space runs out, the last ones are cut first. */
function Sections({ sections }: Pick<Preview, 'sections'>) {
  return (
    <table className={classes.sections} aria-label="Sections">
      <thead>
        <tr>
          <th scope="col">Section</th>
          <th scope="col">Entries</th>
          <th scope="col">Left out</th>
          <th scope="col">Characters</th>
          <th scope="col">Tokens</th>
        </tr>
      </thead>
      <tbody>
        {sections.map(({ name, entries, omitted, chars, estimatedTokens }) => (
          <tr key={name}>
            <th scope="row">{nameOf(name)}</th>
            <td>{formatCount(entries)}</td>
            <td>{omitted === 0 ? '–' : formatCount(omitted)}</td>
            <td>{formatCount(chars)}</td>
            <td>{formatCount(estimatedTokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
