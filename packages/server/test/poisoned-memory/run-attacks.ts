import { afterAll, beforeAll, describe, expect, it, TestRunner } from 'vitest'
import { useTestApp } from '../app.ts'
import type { TestDialect } from '../dialects.ts'
import { attacks } from './all-attacks.ts'
import type { Attack } from './attack.ts'
import { judge } from './judge.ts'
import type { AttackResult } from './results.ts'
import { makeWorld, setScene, type Surface, type World } from './world.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What became of an attack, for docs/poisoned-memory.md. */
    attack?: AttackResult
  }
}

/** Runs attacks on one surface, each in a vault of its own. All share one server. */
export function runAttacks(
  surface: Surface,
  {
    dialect,
    isWanted = () => true,
  }: { dialect?: TestDialect; isWanted?: (attack: Attack, at: number) => boolean } = {},
): void {
  describe(`over ${surface}`, () => {
    const test = useTestApp(dialect === undefined ? {} : { dialect })
    let world: World | undefined
    beforeAll(async () => {
      world = await makeWorld(test(), surface)
    })
    afterAll(async () => {
      await world?.close()
      world = undefined
    })
    const wanted = attacks.filter((attack, at) => (attack.only ?? surface) === surface && isWanted(attack, at))

    it.each(wanted)('a hostile agent $attack', async (attack) => {
      if (world === undefined) throw new Error('the world is made before the first attack')
      const mark = `evil-${String(attacks.indexOf(attack)).padStart(4, '0')}.example`
      const ended = await setScene(world, mark)
      await attack.run(ended.scene)
      const { outcome, problems } = await judge(world, attack, ended)
      expect(problems).toEqual([])
      expect(attack.ends, ended.answers.at(-1)?.text.slice(0, 500)).toContain(outcome)
      const run = TestRunner.getCurrentTest()
      if (run !== undefined)
        run.meta.attack = {
          family: attack.family,
          attack: attack.attack,
          surface,
          store: dialect?.name ?? 'sqlite',
          outcome,
        }
    })
  })
}
