import { Alert, Group, Tabs, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import type { InputOf } from '../../api/call.ts'
import { keyOf, read } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import classes from './context-page.module.css'
import { PreviewItems } from './preview-items.tsx'
import { nameOfSection, PreviewSections } from './preview-sections.tsx'
import { hookCapChars, nameMode, type Preview } from './preview-state.ts'

interface Props {
  input: InputOf<'preview-context'>
  tab: string
  onTab: (tab: string) => void
}

export function PreviewPane({ input, tab, onTab }: Props) {
  const found = useQuery({
    queryKey: keyOf('preview-context', input),
    // With the choice, because this stays on screen while the answer to another one loads.
    queryFn: async ({ signal }) => ({ preview: await read('preview-context', input, signal), chosen: input.mode }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={found}>
      {({ preview, chosen }) => <Shown preview={preview} chosen={chosen} tab={tab} onTab={onTab} />}
    </Loaded>
  )
}

type ShownProps = Omit<Props, 'input'> & { preview: Preview; chosen: Props['input']['mode'] }

function Shown({ preview, chosen, tab, onTab }: ShownProps) {
  const { answer, text, size, agentId } = preview
  const title = nameMode(chosen, answer.sessionContext.mode)
  return (
    <section aria-label={`Preview: ${title}`} className={classes.preview}>
      <Group gap="sm" mb="xs">
        <Title order={2}>{title}</Title>
        {size.text.chars <= hookCapChars ? (
          <StateBadge tone="good">{`Fits in a session hook (up to ${formatCount(hookCapChars)} characters)`}</StateBadge>
        ) : (
          <StateBadge tone="bad">{`Too long for a hook (up to ${formatCount(hookCapChars)} characters)`}</StateBadge>
        )}
      </Group>
      <Text c="dimmed" mb="sm">
        {agentId} gets {formatCount(size.text.chars)} characters, about {formatCount(size.text.estimatedTokens)} tokens.
      </Text>
      {answer.degraded.map(({ part, reason }) => (
        <Alert key={part} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          {nameOfSection(part)}: {reason}
        </Alert>
      ))}
      <div className={classes.parts}>
        <PreviewSections preview={preview} />
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
            <Text c="dimmed" mb="sm">
              Programs that call session-start get this instead of the text: {formatCount(size.answer.chars)}{' '}
              characters.
            </Text>
            <CodeBlock isWrapped label="Response of session-start" code={JSON.stringify(answer, undefined, 2)} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </section>
  )
}
