import { Select } from '@mantine/core'

interface Props {
  label: string
  /** What it says where nothing is chosen. Default: the label. */
  placeholder?: string
  /** '' for none, as in the URL. */
  value: string
  options: readonly (string | { value: string; label: string })[]
  onChange: (value: string) => void
  width: number
  isSearchable?: boolean
}

/** Narrows or orders a list by one of a few words, or by none. */
export function FilterSelect({ label, placeholder = label, value, options, onChange, width, isSearchable }: Props) {
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      clearable
      searchable={isSearchable === true}
      w={width}
      value={value === '' ? null : value}
      data={options}
      onChange={(next) => onChange(next ?? '')}
      nothingFoundMessage="None"
    />
  )
}
