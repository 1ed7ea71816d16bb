import { Switch } from '@mantine/core'
import { setPreferences, usePreferences } from '../../shell/preferences.ts'
import { ShortcutList } from '../../shell/shortcut-sheet.tsx'
import { Section } from './section.tsx'

export function ShortcutsSection() {
  const { shortcuts } = usePreferences()
  return (
    <>
      <Section title="Shortcuts" lead="Kept in this browser alone.">
        <Switch
          label="Shortcuts of single keys"
          description="Switch them off if you write by voice, or hit keys by accident."
          checked={shortcuts}
          onChange={({ currentTarget }) => setPreferences({ shortcuts: currentTarget.checked })}
        />
      </Section>
      <Section title="All shortcuts" lead="Pages add their own; press ? on one to see them.">
        <ShortcutList />
      </Section>
    </>
  )
}
