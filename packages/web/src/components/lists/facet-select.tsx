import { Group, Select, Text } from '@mantine/core'
import { formatCount } from '../text/time-text.ts'

interface Props {
  label: string
  value: string
  options: readonly { value: string; label: string; count: number }[] | undefined
  onChange: (value: string) => void
}

const noOptions: NonNullable<Props['options']> = []

/** Narrows a list by one of what its records have, with how many have it. */
export function FacetSelect({ label, value, options = noOptions, onChange }: Props) {
  const counts = new Map(options.map((option) => [option.value, option.count]))
  const data = options.map((option) => ({ value: option.value, label: option.label }))
  // What the URL names may stand for too few to be among the counted.
  const isMissing = value !== '' && !counts.has(value)
  return (
    <Select
      aria-label={label}
      placeholder={label}
      searchable
      clearable
      w={140}
      value={value === '' ? null : value}
      data={isMissing ? [{ value, label: value }, ...data] : data}
      onChange={(next) => onChange(next ?? '')}
      nothingFoundMessage="None"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      renderOption={({ option }) => (
        <Group justify="space-between" gap="lg" flex={1} wrap="nowrap" maw={320}>
          <span>{option.label}</span>
          <Text span size="xs" c="dimmed">
            {formatCount(counts.get(option.value) ?? 0)}
          </Text>
        </Group>
      )}
    />
  )
}
