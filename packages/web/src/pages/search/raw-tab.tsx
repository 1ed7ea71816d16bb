import { Stack } from '@mantine/core'
import { CodeBlock } from '../../components/text/code-block.tsx'
import type { InputOf } from '../../api/call.ts'
import type { Answer } from './lab-state.ts'
import { printCurl, printTypeScript } from './print-call.ts'

const print = (value: unknown) => JSON.stringify(value, undefined, 2)

export function RawTab({ input, answer }: { input: InputOf<'preview-search'>; answer: Answer }) {
  return (
    <Stack>
      <CodeBlock label="Agent request with curl" code={printCurl(input, location.origin)} isWrapped />
      <CodeBlock label="Agent request in TypeScript" code={printTypeScript(input, location.origin)} isWrapped />
      <CodeBlock label="Request: POST /api/search/preview" code={print(input)} isWrapped />
      <CodeBlock label="Response" code={print(answer)} isWrapped />
    </Stack>
  )
}
