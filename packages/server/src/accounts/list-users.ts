import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { describeUser, exampleUser, userRecord } from './user.ts'
import { findUserByEmail, findUsers, getUser } from './store.ts'

export const userList = z.looseObject({ users: z.array(userRecord), ...page })

export const listUsers = operation({
  name: 'list-users',
  for: { person: 'GET /api/users', operator: 'GET /api/operator/users' },
  summary: 'List the users of this server, or find one by email address. Everyone but the owner sees only themselves.',
  effect: 'read',
  outdatedBy: ['account'],
  input: z.object({ email: fields.email.optional(), limit: fields.limit, offset: fields.offset }),
  output: userList,
  examples: { input: {}, output: { users: [exampleUser], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ email: address, limit, offset }, { actor, db, instance }) {
    const visible = actor === undefined || actor.isOwner ? 'all' : actor.userId
    if (visible === 'all' && address === undefined) {
      const { users, total } = await findUsers(db.read, instance, { limit, offset })
      return { users: users.map(describeUser), ...pageOf({ limit, offset }, total) }
    }
    const found =
      address === undefined
        ? await getUser(db.read, instance, visible)
        : await findUserByEmail(db.read, instance, address)
    const users = found !== undefined && (visible === 'all' || found.userId === visible) ? [found] : []
    return { users: offset > 0 ? [] : users.map(describeUser), ...pageOf({ limit, offset }, users.length) }
  },
})
