import type { PersonsDocument } from '@holdfast/client/dashboard'
import { ClipboardCheck, HeartHandshake, ListOrdered, Wrench, type LucideIcon } from 'lucide-react'

export type DocumentType = PersonsDocument['documentType']

interface Look {
  title: string
  icon: LucideIcon
  /** What it is for. */
  purpose: string
}

/** In the order in which agents are given them. */
export const documentLooks: Readonly<Record<DocumentType, Look>> = {
  soul: { title: 'Soul', icon: HeartHandshake, purpose: 'Who an agent is here: its values, its voice, its limits.' },
  instructions: { title: 'Instructions', icon: ListOrdered, purpose: 'How an agent is to work here.' },
  skills: {
    title: 'Skills',
    icon: Wrench,
    purpose: 'Ways that have proved themselves, so that nobody finds them out twice.',
  },
  checks: {
    title: 'Checks',
    icon: ClipboardCheck,
    purpose: 'What an agent goes through before it says that it is done.',
  },
}

export const isDocumentType = (name: string | undefined): name is DocumentType =>
  name !== undefined && Object.hasOwn(documentLooks, name)

export const maxCharacters = 100_000

/** Whose text agents are given. */
export const inheritModes = [
  { value: 'none', label: 'This vault’s text alone' },
  { value: 'inherit', label: 'This vault’s text, or yours for all vaults' },
  { value: 'merge', label: 'Yours for all vaults, then this vault’s' },
] as const

/** How a vault takes what is written for all, unless its rules say otherwise. */
export const shippedUse: Readonly<Record<DocumentType, { short: string; long: string }>> = {
  soul: { short: 'Where a vault has none', long: 'Agents read it in each vault that has no soul of its own.' },
  instructions: {
    short: 'Where a vault has none',
    long: 'Agents read it in each vault that has no instructions of its own.',
  },
  skills: { short: 'Before each vault’s own', long: 'Agents read it in each vault, before the skills of the vault.' },
  checks: { short: 'Before each vault’s own', long: 'Agents read it in each vault, before the checks of the vault.' },
}
