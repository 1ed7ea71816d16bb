import { expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makePerson } from '../person.ts'
import { everythingIn } from './passing.ts'

const at = (day: number) => `2026-01-0${day}T09:00:00.000Z`

/** A document at version 5, and the four versions before it. */
const archive = (content: string) => [
  {
    kind: 'document',
    documentType: 'checks',
    content,
    inheritMode: 'merge',
    author: { agentId: 'ada' },
    trust: 'imported',
    version: 5,
    createdAt: at(1),
    updatedAt: at(5),
  },
  ...[1, 2, 3, 4].map((version) => ({
    kind: 'documentVersion',
    documentType: 'checks',
    version,
    content: `Text ${version}`,
    author: { agentId: 'ada', route: 'update-document', at: at(version) },
    trust: 'imported',
    at: at(version),
  })),
]

/** As exported again: the author is a claim. */
const imported = (records: object[]) =>
  records.map((record) => ({ ...record, author: { agentId: 'ada', route: 'import' } }))

eachDialect('an import of a document with its earlier versions', (dialect) => {
  const test = useTestApp({ dialect })

  const start = async () => {
    const person = await makePerson(test())
    const { vaultId, dashboardToken } = person.user
    const edit = (content: string) => person.call('update-document', { documentType: 'checks', content })
    const rule = (change: object) => person.call('update-document-rules', { documentType: 'checks', ...change })
    const importing = async (records: object[], more: object = {}) => {
      const importId = '0198c5f0-0000-7000-8000-000000000901'
      const { body } = await person.call('import-records', { importId, records, ...more })
      return (body.results as { status: string }[]).map(({ status }) => status)
    }
    return { edit, rule, importing, everything: () => everythingIn({ test: test(), vaultId, dashboardToken }) }
  }

  for (const content of ['Text 5', ''])
    it(`keeps ${content === '' ? 'an emptied text' : 'a text'} with its versions, and the rules of a vault that only set rules`, async () => {
      const { rule, importing, everything } = await start()
      await rule({ inheritMode: 'none' })
      await rule({ appendOnly: true })
      const records = archive(content)
      const made = records.map(() => 'created')
      expect(await importing(records, { dryRun: true })).toEqual(made)
      expect(await importing(records)).toEqual(made)
      const { document, documentVersion } = await everything()
      expect(document).toMatchObject([
        { content, version: 5, inheritMode: 'none', appendOnly: true, author: { agentId: 'ada' }, updatedAt: at(5) },
      ])
      expect(documentVersion).toMatchObject(imported(records.slice(1)))
      expect(await importing(records)).toEqual(records.map(() => 'existing'))
      expect(await everything()).toMatchObject({ document, documentVersion })
    })

  it('says in a dry run what becomes of versions of a document that the vault has', async () => {
    const { edit, importing } = await start()
    for (const text of ['One', 'Two', 'Three']) await edit(text)
    const dry = await importing(archive('Text 5'), { dryRun: true })
    expect(dry).toEqual(['existing', 'existing', 'existing', 'left', 'left'])
    expect(await importing(archive('Text 5'))).toEqual(dry)
  })

  it('continues from the vault’s own version if that is higher', async () => {
    const { rule, importing, everything } = await start()
    for (let change = 0; change < 6; change++) await rule({ appendOnly: change % 2 === 0 })
    await importing(archive('Text 5'))
    const { document, documentVersion } = await everything()
    expect(document).toMatchObject([{ content: 'Text 5', version: 7 }])
    expect(documentVersion).toMatchObject(imported(archive('').slice(1)))
  })

  it('keeps the vault’s own versions', async () => {
    const { edit, importing, everything } = await start()
    await edit('Mine')
    await edit('')
    expect((await importing(archive('')))[0]).toBe('existing')
    expect((await importing(archive('Text 5')))[0]).toBe('created')
    const { document, documentVersion } = await everything()
    expect(document).toMatchObject([{ content: 'Text 5', version: 3 }])
    expect(documentVersion).toMatchObject([
      { version: 1, content: 'Mine' },
      { version: 2, content: '' },
    ])
  })
})
