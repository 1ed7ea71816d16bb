import type { Database, Reader } from '../../db/dialect.ts'

/** The embedding model that all records were last compared with. Null from the start of a server with another one on. */

export interface CheckedModel {
  id: string
  dims: number
}

export async function findCheckedModel(db: Reader): Promise<CheckedModel | undefined> {
  const { id, dims } = await db
    .selectFrom('instance')
    .select(['checkedModel as id', 'checkedDims as dims'])
    .executeTakeFirstOrThrow()
  return id === null || dims === null ? undefined : { id, dims }
}

export const saveCheckedModel = (db: Database, { id, dims }: CheckedModel): Promise<void> =>
  db.write(async (tx) => {
    await tx.updateTable('instance').set({ checkedModel: id, checkedDims: dims }).execute()
  })

/** For a server that begins to write records with this model, or without one: others must be compared again afterwards. */
export async function forgetOtherModel(db: Database, id: string | undefined): Promise<void> {
  const checked = await findCheckedModel(db.read)
  if (checked === undefined || checked.id === id) return
  await db.write(async (tx) => {
    await tx.updateTable('instance').set({ checkedModel: null, checkedDims: null }).execute()
  })
}
