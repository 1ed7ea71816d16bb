import { SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { setPreferences, usePreferences } from '../../shell/preferences.ts'
import { Section } from './section.tsx'

const schemes = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { contrast } = usePreferences()
  return (
    <Section title="Appearance" lead="Kept in this browser alone.">
      <Stack>
        <div>
          <Text mb={6} id="scheme-label">
            Colours
          </Text>
          <SegmentedControl
            aria-labelledby="scheme-label"
            data={schemes}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
          />
        </div>
        <Switch
          label="High contrast"
          description="Black, white, and visible borders."
          checked={contrast === 'high'}
          onChange={({ currentTarget }) => setPreferences({ contrast: currentTarget.checked ? 'high' : 'normal' })}
        />
      </Stack>
    </Section>
  )
}
