import type { PersonsDocument, VaultSettings } from '@holdfast/client/dashboard'
import { ClipboardCheck, HeartHandshake, ListOrdered, Wrench, type LucideIcon } from 'lucide-react'

export type DocumentType = PersonsDocument['documentType']

interface Look {
  title: string
  icon: LucideIcon
  purpose: string
}

/** In the order in which agents get them. */
export const documentLooks: Readonly<Record<DocumentType, Look>> = {
  soul: { title: 'Soul', icon: HeartHandshake, purpose: 'The values, voice and limits of an agent.' },
  instructions: { title: 'Instructions', icon: ListOrdered, purpose: 'How agents should work.' },
  skills: {
    title: 'Skills',
    icon: Wrench,
    purpose: 'Proven procedures, so agents don’t have to work them out again.',
  },
  checks: {
    title: 'Checks',
    icon: ClipboardCheck,
    purpose: 'What agents check before they report that work is done.',
  },
}

export const isDocumentType = (name: string | undefined): name is DocumentType =>
  name !== undefined && Object.hasOwn(documentLooks, name)

export const maxCharacters = 100_000

/** For people who can’t change the documents of a vault. */
export const readersNote =
  'You can read these documents. Ask the owner of this vault for the role admin to change them.'

/** Which text agents get. */
export const inheritModes = [
  { value: 'none', label: 'Only this vault’s text' },
  { value: 'inherit', label: 'This vault’s text, or your text for all vaults' },
  { value: 'merge', label: 'Your text for all vaults, then this vault’s' },
] as const

const insteadOf =
  'If a vault has its own text, agents get that. Otherwise they get this one, or the built-in text if this is empty.'
const before = 'Agents get this text and then the vault’s own; without both they get the built-in one.'

/** How vaults use the text for all vaults by default. A document's rules can change it. */
export const shippedUse: Readonly<Record<DocumentType, { short: string; long: string }>> = {
  soul: { short: 'In vaults without their own', long: insteadOf },
  instructions: { short: 'In vaults without their own', long: insteadOf },
  skills: { short: 'Before each vault’s own', long: before },
  checks: { short: 'Before each vault’s own', long: before },
}

/** What a session starts with, by its mode, unless the vault's settings or the agent's call say otherwise. docs/sessions.md has the same, and documents.e2e.ts compares. */
const shippedAtStart: Readonly<Record<VaultSettings['defaultMode'], readonly DocumentType[]>> = {
  default: ['soul'],
  planning: ['soul', 'instructions'],
  incident: ['checks', 'instructions'],
  handoff: ['soul', 'instructions'],
  deep: ['soul', 'instructions', 'skills', 'checks'],
  minimal: [],
  none: [],
}

export type SessionSettings = Pick<VaultSettings, 'defaultMode' | 'sessionProfiles'>

/** Whether a session in the vault's own mode starts with the document. */
export const isAtStart = (type: DocumentType, { defaultMode, sessionProfiles }: SessionSettings): boolean =>
  (sessionProfiles[defaultMode]?.includeDocuments ?? shippedAtStart[defaultMode]).includes(type)
