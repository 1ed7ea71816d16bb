import { Switch } from '@mantine/core'
import { setPreferences, usePreferences } from '../../shell/preferences.ts'
import { ShortcutList } from '../../shell/shortcut-sheet.tsx'
import { Section } from './section.tsx'

export function ShortcutsSection() {
  const { shortcuts } = usePreferences()
  return (
    <>
      <Section title="Shortcuts" lead="Saved in this browser only.">
        <Switch
          label="Single-key shortcuts"
          description="Turn them off if you use voice input or press keys by accident."
          checked={shortcuts}
          onChange={({ currentTarget }) => setPreferences({ shortcuts: currentTarget.checked })}
        />
      </Section>
      <Section title="All shortcuts" lead="Pages have more shortcuts. Press ? on a page to see them.">
        <ShortcutList />
      </Section>
    </>
  )
}
