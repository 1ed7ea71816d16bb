import { Button, Collapse, Group, Select, Text, CloseButton, TextInput } from '@mantine/core'
import { useDisclosure, useDebouncedCallback } from '@mantine/hooks'
import { SlidersHorizontal, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { isEscape } from '../forms/is-escape.ts'
import { formatCount } from '../text/time-text.ts'
import classes from './filters.module.css'
import buttonClasses from './short-button.module.css'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'

interface FilterBarProps {
  /** Always visible, on small screens too. */
  lead?: ReactNode
  /** Which part of the records is shown. On small screens, in a line of its own. */
  parts?: ReactNode
  /** At the end of the line, such as the saved views. */
  end?: ReactNode
  /** Whether wide screens hide the filters behind the button, too. */
  isFolded?: boolean
  /** Whether a filter is set that the button hides. The filters then start open. */
  isInUse: boolean
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined
  children: ReactNode
}

/** A list's filters: in one row, or behind a button. What clears them is at their end, so that nothing moves when one is set. */
export function FilterBar({ lead, parts, end, isFolded = false, isInUse, onClear, children }: FilterBarProps) {
  const isOnPhone = useIsOnPhone()
  const [isOpen, open] = useDisclosure(isInUse)
  const isHidden = isFolded || isOnPhone
  const clear = onClear !== undefined && (
    <Button variant="subtle" size="compact-sm" onClick={onClear}>
      Clear all
    </Button>
  )
  const filters = (
    <Group gap="xs" align="center" className={classes.fields}>
      {children}
      {clear}
    </Group>
  )
  return (
    <search>
      <div className={classes.bar}>
        {lead}
        {parts !== undefined && <div className={classes.parts}>{parts}</div>}
        {isHidden ? (
          <Button
            className={lead === undefined && parts === undefined ? undefined : buttonClasses.short}
            variant={isInUse ? 'light' : 'default'}
            leftSection={<SlidersHorizontal size={15} aria-hidden />}
            aria-expanded={isOpen}
            onClick={open.toggle}
          >
            Filters
          </Button>
        ) : (
          filters
        )}
        {end !== undefined && <div className={classes.end}>{end}</div>}
      </div>
      {isHidden && (
        <Collapse expanded={isOpen} mb={isOpen ? 'sm' : 0}>
          {filters}
        </Collapse>
      )}
    </search>
  )
}

interface FilterSelectProps {
  label: string
  /** Shown while nothing is selected. Default: the label. */
  placeholder?: string
  /** '' if nothing is selected, as in the URL. */
  value: string
  options: readonly (string | { value: string; label: string })[]
  onChange: (value: string) => void
  width: number
  isSearchable?: boolean
}

/** Filters or sorts a list by one of a few values. */
export function FilterSelect({
  label,
  placeholder = label,
  value,
  options,
  onChange,
  width,
  isSearchable,
}: FilterSelectProps) {
  return (
    <Select
      data-default
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

interface FacetSelectProps {
  label: string
  /** Shown while nothing is selected. Default: the label. */
  placeholder?: string
  value: string
  options: readonly { value: string; label: string; count: number }[] | undefined
  onChange: (value: string) => void
  width?: number
}

const noOptions: NonNullable<FacetSelectProps['options']> = []

/** Filters a list by one of the values in it, and shows how many records have each. */
export function FacetSelect({
  label,
  placeholder = label,
  value,
  options = noOptions,
  onChange,
  width = 130,
}: FacetSelectProps) {
  const counts = new Map(options.map((option) => [option.value, option.count]))
  const data = options.map((option) => ({ value: option.value, label: option.label }))
  // The value in the URL may be too rare to be among the counted ones.
  const isMissing = value !== '' && !counts.has(value)
  return (
    <Select
      data-default
      aria-label={label}
      placeholder={placeholder}
      searchable
      clearable
      w={width}
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

const typingPauseMs = 250

interface SearchBoxProps {
  value: string
  /** Called when the person pauses typing. */
  onChange: (value: string) => void
  label: string
  placeholder: string
}

/** The search field of a list. The key `/` focuses it, and Escape leaves it for the keys of the list. */
export function SearchBox({ value, onChange, label, placeholder }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const [isTyping, setTyping] = useState(false)
  // The value changed elsewhere (cleared, or back in the history). Text that is being typed is kept.
  if (value !== seen) {
    setSeen(value)
    if (!isTyping) setTyped(value)
  }
  const report = useDebouncedCallback(onChange, typingPauseMs)
  const set = (next: string) => {
    setTyped(next)
    report(next)
  }
  return (
    <TextInput
      data-filter
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      onKeyDown={(event) => {
        if (!isEscape(event)) return
        // An open record next to the list stays open.
        event.preventDefault()
        event.currentTarget.blur()
      }}
      leftSection={<Search size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => set('')} />}
      maxLength={1000}
      flex="1 1 160px"
      maw={420}
    />
  )
}
