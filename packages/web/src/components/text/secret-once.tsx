import { Alert, Text } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { CodeBlock } from './code-block.tsx'

/** A secret that the server does not keep: it is on the screen now and nowhere else. */
export function SecretOnce({ secret, label, children }: { secret: string; label: string; children?: string }) {
  return (
    <Alert color="yellow" variant="light" icon={<KeyRound size={18} aria-hidden />} title="Shown once">
      <Text mb="xs">{children ?? 'Copy it now: it cannot be shown again, only replaced.'}</Text>
      <CodeBlock code={secret} label={label} isWrapped />
    </Alert>
  )
}
