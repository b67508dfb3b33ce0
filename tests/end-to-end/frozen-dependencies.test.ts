import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startCrowd, type Crowd } from './frozen/crowd.ts'
import type { Dependency } from './frozen/dependency.ts'
import { freezeUnder } from './frozen/story.ts'
import { startWorld, type World } from './frozen/world.ts'

/*
 * A dependency stops answering (SIGSTOP) until each check has its answer. The long test has 60 s,
 * the limits and EventStoreDB.
 */

let world: World
let crowd: Crowd
beforeAll(async () => {
  world = await startWorld()
  crowd = await startCrowd(world, 250)
}, 120_000)
afterAll(async () => {
  await crowd?.stop()
  await world?.close()
}, 60_000)

const onLinux = process.platform === 'linux' ? it : it.skip

describe('a product whose dependency freezes', () => {
  onLinux.each<[Dependency]>([['PostgreSQL'], ['the mail server'], ['the payment provider']])(
    'is alive, names %s, shows metrics, and then completes each click once',
    async (dependency) => {
      const { answered } = await freezeUnder({ world, crowd }, dependency, 0)
      expect(answered).toBeGreaterThan(0)
    },
    180_000,
  )
})
