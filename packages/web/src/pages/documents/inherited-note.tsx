import type { PersonsDocument } from '@holdfast/client/dashboard'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DocumentType } from './document-looks.ts'

/** How this vault uses the user's text for all vaults, with a link to it. */
export function InheritedNote({ document, id }: { document: PersonsDocument; id: string }) {
  return (
    <Text size="sm" c="dimmed" id={id}>
      <InheritedWords document={document} />
    </Text>
  )
}

function InheritedWords({ document }: { document: PersonsDocument }) {
  const { documentType: type, inheritMode, inheritedContent, ownContent } = document
  if (inheritedContent === null)
    return (
      <>
        You have no text for all vaults. <LinkForAll type={type}>Write one</LinkForAll>
      </>
    )
  const yours = <LinkForAll type={type}>Your text for all vaults</LinkForAll>
  if (inheritMode === 'none') return <>{yours} isn’t used here.</>
  if (inheritMode === 'merge' && ownContent !== null) return <>{yours} comes before this text.</>
  if (ownContent === null) return <>{yours} is used because this vault has no text.</>
  return <>{yours} isn’t used here because this vault has its own.</>
}

const LinkForAll = ({ type, children }: { type: DocumentType; children: ReactNode }) => (
  <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to={`/documents/all/${type}`} />}>
    {children}
  </Anchor>
)
