import { ActionIcon, CopyButton as MantineCopyButton, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'

export function CopyButton({ text, what }: { text: string; what: string }) {
  return (
    <MantineCopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={copied ? 'Copied' : `Copy: ${what}`}>
            {copied ? <Check size={16} /> : <Copy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  )
}
