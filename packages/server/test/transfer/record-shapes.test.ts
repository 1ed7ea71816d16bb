import type { RecordOf as Read } from '@holdfast/transfer/record'
import { expectTypeOf, it } from 'vitest'
import type { RecordOf } from '../../src/transfer/record.ts'

it('what readers return is what the service accepts, or else this does not compile', () => {
  expectTypeOf<Read<'note'>>().toExtend<RecordOf<'note'>>()
  expectTypeOf<Read<'memory'>>().toExtend<RecordOf<'memory'>>()
  expectTypeOf<Read<'link'>>().toExtend<RecordOf<'link'>>()
  expectTypeOf<Read<'document'>>().toExtend<RecordOf<'document'>>()
})
