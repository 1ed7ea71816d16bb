import { Button, Checkbox, Popover, SegmentedControl, Stack } from '@mantine/core'
import { Columns3, Rows3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { setPreferences, usePreference } from '../../shell/preferences.ts'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'
import { useColumns, type RowLooks } from './record-rows.tsx'

interface Props<Row> {
  looks: RowLooks<Row>
  /** Above the columns, such as the order. */
  children?: ReactNode
}

/** The height of rows in all lists, and the columns of this one. Lists on phones have no columns. */
export function Display<Row>({ looks, children }: Props<Row>) {
  const density = usePreference('density')
  const columns = usePreference('columns')
  const shown = useColumns(looks).map(({ name }) => name)
  const isOnPhone = useIsOnPhone()
  const Icon = isOnPhone ? Rows3 : Columns3
  const setColumns = (names: readonly string[]) => setPreferences({ columns: { ...columns, [looks.list]: names } })
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon size={15} aria-hidden />}>
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
          {children}
          {!isOnPhone && (
            <Checkbox.Group label="Columns" value={shown} onChange={setColumns}>
              <Stack gap={8} mt={6}>
                {looks.columns.map(({ name, title }) => (
                  <Checkbox key={name} size="xs" value={name} label={title} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
