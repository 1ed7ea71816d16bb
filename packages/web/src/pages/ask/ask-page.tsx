import { Button, Group, Text, Textarea } from '@mantine/core'
import { MessageCircleQuestionMark, Send, Square } from 'lucide-react'
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { useSession } from '../../shell/session.ts'
import classes from './ask-page.module.css'
import { askQuestion, stopAsking, useExchanges } from './ask-state.ts'
import { ExampleQuestions } from './example-questions.tsx'
import { ExchangeView } from './exchange-view.tsx'

const maxQuestionChars = 2_000

export function AskPage() {
  const canAsk = useSession().data?.canAsk !== false
  return (
    <Page
      keepsLead
      title="Ask"
      {...(canAsk && {
        lead: 'Answers from this vault. The language model of this server sees your question and up to 10 records. Nothing is stored.',
      })}
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
    This server has no language model to answer questions yet. Set the address and name of any model with an
    OpenAI-compatible interface, then restart the server.
  </EmptyState>
)

function Ask({ vaultId }: { vaultId: string }) {
  const all = useExchanges()
  const isBusy = all.some(({ answer, error }) => answer === undefined && error === undefined)
  const exchanges = all.filter((one) => one.vaultId === vaultId)
  const ask = (question: string) => void askQuestion(vaultId, question)
  return (
    <div className={classes.ask}>
      <Question isBusy={isBusy} onAsk={ask} />
      {exchanges.length === 0 && <ExampleQuestions vaultId={vaultId} onAsk={ask} />}
      {exchanges.map((exchange) => (
        <ExchangeView key={exchange.id} exchange={exchange} />
      ))}
    </div>
  )
}

function Question({ isBusy, onAsk }: { isBusy: boolean; onAsk: (question: string) => void }) {
  const [typed, setTyped] = useState('')
  const hintId = useId()
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (isBusy || typed.trim() === '') return
    onAsk(typed.trim())
    setTyped('')
  }
  return (
    <form onSubmit={submit}>
      <Textarea
        data-autofocus
        aria-label="Question"
        placeholder="Ask about anything in this vault"
        aria-describedby={hintId}
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
      <Group justify="space-between" align="flex-start" mt={6}>
        <Text id={hintId} size="xs" c="dimmed" className={classes.hint}>
          Enter asks. Shift+Enter starts a new line.
        </Text>
        {isBusy ? (
          <Button variant="default" ml="auto" leftSection={<Square size={14} aria-hidden />} onClick={stopAsking}>
            Stop
          </Button>
        ) : (
          <Button type="submit" ml="auto" leftSection={<Send size={16} aria-hidden />} disabled={typed.trim() === ''}>
            Ask
          </Button>
        )}
      </Group>
    </form>
  )
}
