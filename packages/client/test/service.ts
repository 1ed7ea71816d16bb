import { beforeAll } from 'vitest'
import { useTestApp, type TestApp, type TestAppOptions } from '../../server/test/app.ts'
import { makeAgent, makeUser, type TestUser } from '../../server/test/factories.ts'
import { createClient, type Client, type ClientOptions } from '../src/index.ts'

/** The service itself, over HTTP, for all tests of a block. */
export interface Service {
  test: TestApp
  url: string
  /** A key of a new person, or of this one. */
  makeKey(user?: TestUser): Promise<string>
  /** A client of a new person, or of this one. */
  makeClient(options?: ClientOptions, user?: TestUser): Promise<Client>
}

/** Call it in the block and the returned function in its tests. */
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
