import { Text, ActionIcon, CopyButton as MantineCopyButton, Tooltip, Alert } from '@mantine/core'
import classes from './code-block.module.css'
import { Check, Copy, KeyRound } from 'lucide-react'
import { createContext, use } from 'react'

/** Learns which texts people copy with a button. */
export const CopyListener = createContext<(text: string) => void>(() => undefined)

/** Text to copy: commands, settings, secrets. `label` says what it is, also to screen readers. */
export function CodeBlock({ code, label, isWrapped = false }: { code: string; label: string; isWrapped?: boolean }) {
  const isLine = !code.includes('\n')
  return (
    <div className={classes.block}>
      <Text size="xs" c="dimmed" className={classes.label}>
        {label}
      </Text>
      {/* Focusable, so keyboard users can scroll it. */}
      <pre
        className={isWrapped || isLine ? classes.wrapped : classes.code}
        tabIndex={0}
        aria-label={label}
        role="group"
      >
        {isWrapped || isLine
          ? [...code.matchAll(/^.*$/gm)].map(({ 0: line, index }) => (
              <Line key={index} text={line} isFirst={index === 0} />
            ))
          : code}
      </pre>
      <div className={classes.copy}>
        <CopyButton text={code} what={label} />
      </div>
    </div>
  )
}

/** Wraps between words, and never after the hyphen of an option. Only what is wider than the block breaks anywhere. */
const Line = ({ text, isFirst }: { text: string; isFirst: boolean }) => (
  <>
    {!isFirst && '\n'}
    {[...text.matchAll(/\S+ *| +/g)].map(({ 0: word, index }) => (
      <span key={index} className={classes.word}>
        {word}
      </span>
    ))}
  </>
)

export function CopyButton({ text, what }: { text: string; what: string }) {
  const onCopy = use(CopyListener)
  return (
    <MantineCopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => {
              copy()
              onCopy(text)
            }}
            aria-label={copied ? 'Copied' : `Copy: ${what}`}
          >
            {copied ? <Check size={16} /> : <Copy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  )
}

/** A secret that is shown only now, because the server doesn't store it. */
export function SecretOnce({ secret, label, children }: { secret: string; label: string; children?: string }) {
  return (
    <Alert color="yellow" variant="light" icon={<KeyRound size={18} aria-hidden />} title="Shown once">
      <Text mb="xs">{children ?? 'Copy it now. It can’t be shown again, only replaced.'}</Text>
      <CodeBlock code={secret} label={label} isWrapped />
    </Alert>
  )
}
