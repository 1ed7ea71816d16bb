import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { Download, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { saveFile } from '../../components/text/save-file.ts'

/** The codes are on the screen now and nowhere else, so that it takes a word to leave. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const [hasKept, setHasKept] = useState(false)
  const text = codes.join('\n')
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<KeyRound size={18} aria-hidden />} title="Shown once">
        <Text mb="xs">
          Each of these lets you in once without the app. Keep them apart from your phone: in a password manager, or on
          paper.
        </Text>
        <CodeBlock code={text} label="Recovery codes" />
      </Alert>
      <Group justify="space-between">
        <Checkbox
          label="I have kept the codes"
          checked={hasKept}
          onChange={({ currentTarget }) => setHasKept(currentTarget.checked)}
        />
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={() => save(text)}>
          Download
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button disabled={!hasKept} onClick={onKept}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

const save = (text: string) =>
  saveFile(
    'holdfast-recovery-codes.txt',
    new Blob([`Recovery codes of Holdfast at ${location.origin}\n\n${text}\n`], { type: 'text/plain' }),
  )
