import { Button, Checkbox, Group, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { Settings2 } from 'lucide-react'
import { setPreferences, usePreferences } from '../../shell/preferences.ts'
import { useColumns, type RowLooks } from './record-rows.tsx'

interface Props<Row> {
  looks: RowLooks<Row>
  /** How many records match, such as "12 memories". */
  count: string
}

/** The line above a list: how many records there are, and how they are shown. */
export function ListTools<Row>({ looks, count }: Props<Row>) {
  return (
    <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
      <Text size="sm" c="dimmed" aria-live="polite">
        {count}
      </Text>
      <Display looks={looks} />
    </Group>
  )
}

/** The height of rows in all lists, and the columns of this one. */
function Display<Row>({ looks }: Pick<Props<Row>, 'looks'>) {
  const { density, columns } = usePreferences()
  const shown = useColumns(looks).map(({ name }) => name)
  const setColumns = (names: readonly string[]) => setPreferences({ columns: { ...columns, [looks.list]: names } })
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button size="xs" variant="subtle" color="gray" c="dimmed" leftSection={<Settings2 size={14} aria-hidden />}>
          Display
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <SegmentedControl
            size="xs"
            aria-label="Row height"
            value={density}
            onChange={(value) => setPreferences({ density: value })}
            data={[
              { value: 'comfortable', label: 'Comfortable' },
              { value: 'compact', label: 'Compact' },
            ]}
          />
          <Checkbox.Group label="Columns" value={shown} onChange={setColumns}>
            <Stack gap={8} mt={6}>
              {looks.columns.map(({ name, title }) => (
                <Checkbox key={name} size="xs" value={name} label={title} />
              ))}
            </Stack>
          </Checkbox.Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
