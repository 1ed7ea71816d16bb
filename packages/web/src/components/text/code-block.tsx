import { Text } from '@mantine/core'
import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

/** Text to copy: commands, settings, secrets. `label` says what it is, also to screen readers. */
export function CodeBlock({ code, label, isWrapped = false }: { code: string; label: string; isWrapped?: boolean }) {
  return (
    <div className={classes.block}>
      <Text size="xs" c="dimmed" className={classes.label}>
        {label}
      </Text>
      {/* Focusable, since it may have to be scrolled by keyboard. */}
      <pre className={isWrapped ? classes.wrapped : classes.code} tabIndex={0} aria-label={label} role="group">
        {code}
      </pre>
      <div className={classes.copy}>
        <CopyButton text={code} what={label} />
      </div>
    </div>
  )
}
