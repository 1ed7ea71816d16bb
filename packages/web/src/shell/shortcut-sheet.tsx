import { Kbd, Modal, Text, Title } from '@mantine/core'
import { commandKey, useShortcuts, type Shortcut } from './shortcuts.ts'
import { usePreference } from './preferences.ts'
import classes from './shortcut-sheet.module.css'

export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const areOn = usePreference('shortcuts')
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg">
      {!areOn && (
        <Text size="sm" c="dimmed" mb="md">
          Single-key shortcuts are turned off in the settings.
        </Text>
      )}
      <ShortcutList />
    </Modal>
  )
}

/** All shortcuts that work on the current page. */
export function ShortcutList() {
  const all = useShortcuts()
  const groups = [...Map.groupBy(all, ({ group }) => group)].toReversed()
  return (
    <div className={classes.columns}>
      <section>
        <Title order={3}>Everywhere</Title>
        <Row keys={`${commandKey} K`} label="Search or jump to" />
        <Row keys="Esc" label="Close dialog or menu" />
        <Row keys={`${commandKey} Enter`} label="Save or send a form" />
      </section>
      {groups.map(([group, shortcuts]) => (
        <Group key={group} title={group} shortcuts={shortcuts} />
      ))}
    </div>
  )
}

/** A group with more rows has both columns. */
const columnRows = 10

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section data-long={shortcuts.length > columnRows}>
      <Title order={3}>{title}</Title>
      <div className={classes.rows}>
        {shortcuts.map(({ keys, label }) => (
          <Row key={keys} keys={keys} label={label} />
        ))}
      </div>
    </section>
  )
}

function Row({ keys, label }: { keys: string; label: string }) {
  return (
    <div className={classes.row}>
      <span>{label}</span>
      <span className={classes.keys}>
        {keys.split(' ').map((key) => (
          <Kbd key={key}>{nameOfKey(key)}</Kbd>
        ))}
      </span>
    </div>
  )
}

/** As on the keyboard. */
function nameOfKey(key: string): string {
  if (key === 'Escape') return 'Esc'
  return key.length === 1 ? key.toUpperCase() : key
}
