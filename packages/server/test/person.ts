import type { Answer, TestApp } from './app.ts'
import { makeUser, type TestUser } from './factories.ts'

/** One person at the dashboard. */
export interface TestPerson {
  user: TestUser
  /** In their default vault, unless the call names another; `vaultId: undefined`: in none. */
  call(name: string, input?: Record<string, unknown>): Promise<Answer>
}

export async function makePerson(test: TestApp): Promise<TestPerson> {
  const user = await makeUser(test)
  return {
    user,
    call(name, input) {
      const all = Object.entries({ vaultId: user.vaultId, ...input })
      // In a URL, undefined would be a normal word.
      const given = all.filter(([, value]) => value !== undefined)
      return test.call(name, Object.fromEntries(given), { key: user.dashboardToken })
    },
  }
}
