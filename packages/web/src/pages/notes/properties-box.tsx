import { ActionIcon, Button, Checkbox, Group, TagsInput, Textarea, TextInput } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { frontOf } from './note-lead.ts'
import classes from './properties-box.module.css'
import {
  addProperty,
  readProperties,
  removeProperty,
  setProperty,
  type Property,
  type PropertyValue,
} from './properties.ts'

interface Props {
  /** The start of the text that contains the front matter. */
  lead: string
  isReadOnly: boolean
  /** With the new front matter, which is empty without properties. */
  onChange: (front: string) => void
}

/** The front matter of a note as a list of properties. */
export function Properties({ lead, isReadOnly, onChange }: Props) {
  const { block } = frontOf(lead)
  const properties = readProperties(block) ?? []
  if (isReadOnly) return properties.length === 0 ? null : <ShownProperties properties={properties} />
  return (
    <EditedProperties
      block={block}
      properties={properties}
      onChange={(next) => onChange(next.trim() === '' ? '' : `---\n${next}\n---\n`)}
    />
  )
}

const ShownProperties = ({ properties }: { properties: readonly Property[] }) => (
  <dl className={classes.box} aria-label="Properties">
    {properties.map(({ key, value }) => (
      <div key={key} className={classes.row}>
        <dt className={classes.key}>{key}</dt>
        <dd className={classes.value}>{print(value)}</dd>
      </div>
    ))}
  </dl>
)

interface EditedProps {
  block: string
  properties: readonly Property[]
  onChange: (block: string) => void
}

function EditedProperties({ block, properties, onChange }: EditedProps) {
  const [isText, setText] = useState(false)
  const [added, setAdded] = useState<string>()
  const isNone = properties.length === 0
  const add = (key: string) => {
    setAdded(key)
    onChange(addProperty(block, key))
  }
  return (
    <div className={isNone ? classes.none : classes.box} role="group" aria-label="Properties">
      {isText && !isNone ? (
        <Source block={block} onChange={onChange} />
      ) : (
        properties.map((property) => (
          <Row
            key={property.key}
            property={property}
            isNew={property.key === added}
            onChange={(value) => onChange(setProperty(block, property.key, value))}
            onRemove={() => onChange(removeProperty(block, property.key))}
          />
        ))
      )}
      <Group gap="xs">
        {!isText && <AddProperty taken={properties.map(({ key }) => key)} onAdd={add} />}
        {!isNone && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setText(!isText)}>
            {isText ? 'Done' : 'Edit as text'}
          </Button>
        )}
      </Group>
    </div>
  )
}

function print(value: PropertyValue): string {
  switch (value.kind) {
    case 'text':
      return value.text === '' ? '–' : value.text
    case 'flag':
      return value.isOn ? 'Yes' : 'No'
    case 'list':
      return value.items.length === 0 ? '–' : value.items.join(', ')
    case 'other':
      return value.source
  }
}

interface RowProps {
  property: Property
  /** Whether the person has just added it. */
  isNew: boolean
  onChange: (value: PropertyValue) => void
  onRemove: () => void
}

function Row({ property: { key, value }, isNew, onChange, onRemove }: RowProps) {
  return (
    <div className={classes.row}>
      <span className={classes.key}>{key}</span>
      <div className={classes.value}>
        <Value name={key} value={value} isNew={isNew} onChange={onChange} />
      </div>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Remove ${key}`} onClick={onRemove}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}

interface ValueProps {
  name: string
  value: PropertyValue
  isNew: boolean
  onChange: (value: PropertyValue) => void
}

function Value({ name, value, isNew, onChange }: ValueProps) {
  switch (value.kind) {
    case 'text':
      return (
        <TextInput
          size="xs"
          variant="unstyled"
          aria-label={name}
          placeholder="Empty"
          autoFocus={isNew}
          value={value.text}
          onChange={({ currentTarget }) => onChange({ kind: 'text', text: currentTarget.value })}
        />
      )
    case 'flag':
      return (
        <Checkbox
          size="xs"
          aria-label={name}
          checked={value.isOn}
          onChange={({ currentTarget }) => onChange({ kind: 'flag', isOn: currentTarget.checked })}
        />
      )
    case 'list':
      return (
        <TagsInput
          size="xs"
          variant="unstyled"
          aria-label={name}
          value={[...value.items]}
          onChange={(items) => onChange({ kind: 'list', items })}
          acceptValueOnBlur
        />
      )
    case 'other':
      return <pre className={classes.source}>{value.source}</pre>
  }
}

/** Reports the text whenever it is a list of properties. */
function Source({ block, onChange }: Pick<EditedProps, 'block' | 'onChange'>) {
  const [typed, setTyped] = useState(block)
  const isWrong = typed.trim() !== '' && readProperties(typed) === undefined
  const change = (next: string) => {
    setTyped(next)
    if (next.trim() === '' || readProperties(next) !== undefined) onChange(next)
  }
  return (
    <Textarea
      size="xs"
      aria-label="Properties as YAML"
      autosize
      minRows={2}
      maxRows={16}
      value={typed}
      error={isWrong && 'Write one property per line, such as “status: draft”. This isn’t saved yet.'}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      classNames={{ input: classes.code ?? '' }}
    />
  )
}

function AddProperty({ taken, onAdd }: { taken: readonly string[]; onAdd: (key: string) => void }) {
  const [name, setName] = useState<string>()
  if (name === undefined)
    return (
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        leftSection={<Plus size={13} aria-hidden />}
        onClick={() => setName('')}
      >
        Add property
      </Button>
    )
  const key = name.trim()
  const isTaken = taken.includes(key)
  const add = () => {
    if (key !== '' && !isTaken) onAdd(key)
    if (!isTaken) setName(undefined)
  }
  return (
    <TextInput
      size="xs"
      w={180}
      autoFocus
      aria-label="Name of the property"
      placeholder="Name"
      maxLength={100}
      value={name}
      error={isTaken && 'This property exists.'}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      onBlur={add}
      onKeyDown={(event) => {
        if (event.key === 'Enter') add()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setName(undefined)
      }}
    />
  )
}
