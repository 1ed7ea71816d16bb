import { SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { setPreferences, usePreference } from '../../shell/preferences.ts'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'
import { ShortcutList } from '../../shell/shortcut-sheet.tsx'

const schemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const contrast = usePreference('contrast')
  return (
    <Section title="Appearance" lead="Saved in this browser only.">
      <Stack>
        <div>
          <Text size="sm" fw={600} mb={6} id="scheme-label">
            Color scheme
          </Text>
          <SegmentedControl
            className={styles.scheme}
            aria-labelledby="scheme-label"
            data={schemes}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
          />
        </div>
        <Switch
          label="High contrast"
          description="Pure black and white with visible borders."
          checked={contrast === 'high'}
          onChange={({ currentTarget }) => setPreferences({ contrast: currentTarget.checked ? 'high' : 'normal' })}
        />
      </Stack>
    </Section>
  )
}

export function ShortcutsSection() {
  const shortcuts = usePreference('shortcuts')
  return (
    <>
      <Section title="Shortcuts" lead="For devices with a keyboard. Saved in this browser only.">
        <Switch
          label="Single-key shortcuts"
          description="Turn them off if you use voice input or press keys by accident."
          checked={shortcuts}
          onChange={({ currentTarget }) => setPreferences({ shortcuts: currentTarget.checked })}
        />
      </Section>
      <Section title="Global shortcuts" lead="Pages have more shortcuts. Press ? on a page to see them.">
        <ShortcutList />
      </Section>
    </>
  )
}
