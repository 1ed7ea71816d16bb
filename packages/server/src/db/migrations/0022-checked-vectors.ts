import type { Migration } from '../migrate.ts'

/** The embedding model, and the length of its vectors, that all records were last compared with: a start needn't compare them again. */
export const checkedVectors: Migration = {
  name: '0022-checked-vectors',
  statements: () => [
    'ALTER TABLE "instance" ADD COLUMN "checkedModel" text',
    'ALTER TABLE "instance" ADD COLUMN "checkedDims" integer',
  ],
}
