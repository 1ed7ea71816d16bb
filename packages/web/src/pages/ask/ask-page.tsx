import { Button, Group, Text, Textarea } from '@mantine/core'
import { MessageCircleQuestionMark, Send, Square } from 'lucide-react'
import { useRef, useState, type FormEvent, type KeyboardEvent, type RefObject } from 'react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { ExampleQueries } from '../../components/records/example-queries.tsx'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { useSession } from '../../shell/session.ts'
import classes from './ask-page.module.css'
import { askQuestion, stopAsking, useExchanges } from './ask-state.ts'
import { ExchangeView } from './exchange-view.tsx'

const maxQuestionChars = 2_000

const questions: readonly ((name: string) => string)[] = [
  (name) => `What do we know about ${name}?`,
  (name) => `What did we decide about ${name}?`,
  (name) => `What is new about ${name}?`,
]

export function AskPage() {
  const canAsk = useSession().data?.canAsk !== false
  const what = 'Answers your questions from the records of this vault, with links to them.'
  return (
    <Page
      keepsLead
      title="Ask"
      lead={
        canAsk
          ? `${what} The language model of this server sees your question and up to 10 records. Nothing is stored.`
          : what
      }
    >
      {canAsk ? <InVault>{({ id }) => <Ask vaultId={id} />}</InVault> : <NoModel />}
    </Page>
  )
}

/** The two settings that a model needs, and where they are explained. */
const NoModel = () => (
  <EmptyState
    icon={MessageCircleQuestionMark}
    action={
      <>
        <div className={classes.settings}>
          <CodeBlock
            isWrapped
            code={'HOLDFAST_EXTRACTION_URL=http://127.0.0.1:11434/v1\nHOLDFAST_EXTRACTION_MODEL=llama3.1'}
            label="For example, in the server’s environment"
          />
        </div>
        <Button component="a" href="/docs/self-hosting.html#a-language-model" target="_blank">
          How to set up a model
        </Button>
      </>
    }
  >
    This server has no language model yet. Set the address and name of any model with an OpenAI-compatible interface,
    then restart the server.
  </EmptyState>
)

function Ask({ vaultId }: { vaultId: string }) {
  const all = useExchanges()
  const isBusy = all.some(({ answer, error }) => answer === undefined && error === undefined)
  const exchanges = all.filter((one) => one.vaultId === vaultId)
  const field = useRef<HTMLTextAreaElement>(null)
  const ask = (question: string) => {
    // An example disappears with the focus on it.
    field.current?.focus()
    void askQuestion(vaultId, question)
  }
  return (
    <div className={classes.ask}>
      <Question field={field} isBusy={isBusy} onAsk={ask} />
      {exchanges.length === 0 && (
        <>
          <ExampleQueries vaultId={vaultId} patterns={questions} isDisabled={isBusy} onChoose={ask} />
          <Text c="dimmed" size="sm">
            Answers appear here, with links to the records they come from. They are gone when you close this tab.
          </Text>
        </>
      )}
      {exchanges.map((exchange) => (
        <ExchangeView key={exchange.id} exchange={exchange} />
      ))}
    </div>
  )
}

interface QuestionProps {
  field: RefObject<HTMLTextAreaElement | null>
  isBusy: boolean
  onAsk: (question: string) => void
}

function Question({ field, isBusy, onAsk }: QuestionProps) {
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (isBusy || typed.trim() === '') return
    onAsk(typed.trim())
    setTyped('')
  }
  return (
    <form onSubmit={submit}>
      <Textarea
        ref={field}
        data-autofocus
        aria-label="Question"
        placeholder="Ask about anything in this vault"
        description="Enter asks. Shift+Enter starts a new line."
        inputWrapperOrder={['input', 'description']}
        classNames={{ description: classes.hint ?? '' }}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          // While a character is being composed, Enter confirms it.
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
        }}
        maxLength={maxQuestionChars}
        autosize
        minRows={2}
        maxRows={8}
      />
      <Group justify="flex-end" mt={6}>
        {isBusy ? (
          <Button variant="default" leftSection={<Square size={14} aria-hidden />} onClick={stopAsking}>
            Stop
          </Button>
        ) : (
          <Button type="submit" leftSection={<Send size={16} aria-hidden />} disabled={typed.trim() === ''}>
            Ask
          </Button>
        )}
      </Group>
    </form>
  )
}
