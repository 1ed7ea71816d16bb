import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { describeUser, email, exampleUser, userRecord } from './user.ts'
import { findUserByEmail, findUsers } from './store.ts'

export const userList = z.looseObject({ users: z.array(userRecord), ...page })

export const listUsers = operation({
  name: 'list-users',
  for: { operator: 'GET /api/operator/users' },
  summary: 'List the users of this instance, or find one by email address.',
  effect: 'read',
  input: z.object({ email: email.optional(), limit: fields.limit, offset: fields.offset }),
  output: userList,
  examples: { input: {}, output: { users: [exampleUser], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ email: address, limit, offset }, { db, instance }) {
    if (address !== undefined) {
      const user = await findUserByEmail(db.read, instance, address)
      const users = user === undefined || offset > 0 ? [] : [describeUser(user)]
      return { users, ...pageOf({ limit, offset }, user === undefined ? 0 : 1) }
    }
    const { users, total } = await findUsers(db.read, instance, { limit, offset })
    return { users: users.map(describeUser), ...pageOf({ limit, offset }, total) }
  },
})
