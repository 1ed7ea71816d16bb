import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useState } from 'react'

const typingPauseMs = 250

interface Props {
  value: string
  /** Told once somebody pauses. */
  onChange: (value: string) => void
  label: string
  placeholder: string
}

/** What a list is searched by; `/` leads to it. */
export function SearchBox({ value, onChange, label, placeholder }: Props) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const [isTyping, setTyping] = useState(false)
  // Cleared from elsewhere, or another place in the history; what is being typed is never taken back.
  if (value !== seen) {
    setSeen(value)
    if (!isTyping) setTyped(value)
  }
  const tell = useDebouncedCallback(onChange, typingPauseMs)
  const set = (next: string) => {
    setTyped(next)
    tell(next)
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
      leftSection={<Search size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => set('')} />}
      maxLength={1000}
      flex="1 1 240px"
      maw={420}
    />
  )
}
