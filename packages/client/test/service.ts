import { beforeAll } from 'vitest'
import { useTestApp, type TestApp, type TestAppOptions } from '../../server/test/app.ts'
import { makeAgent, makeUser, type TestUser } from '../../server/test/factories.ts'
import { createClient, type Client, type ClientOptions } from '../src/index.ts'

/** A real server over HTTP, for all tests of a block. */
export interface Service {
  test: TestApp
  url: string
  /** Creates a key for this user, or for a new one. */
  makeKey(user?: TestUser): Promise<string>
  /** Creates a client for this user, or for a new one. */
  makeClient(options?: ClientOptions, user?: TestUser): Promise<Client>
}

/** Call this in the block, and the returned function in its tests. */
export function useService(options: TestAppOptions = {}): () => Service {
  const test = useTestApp(options)
  let url = ''
  beforeAll(async () => {
    url = await test().app.listen()
  })
  const makeKey = async (user?: TestUser) => makeAgent(test(), user ?? (await makeUser(test())))
  return () => ({
    test: test(),
    url,
    makeKey,
    makeClient: async (given, user) => createClient({ url, key: await makeKey(user), ...given }),
  })
}
