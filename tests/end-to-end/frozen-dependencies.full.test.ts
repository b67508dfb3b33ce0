import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runBilling } from '../support/product/run-billing.ts'
import { startCrowd, type Crowd } from './frozen/crowd.ts'
import { answerWithinMs, type Dependency } from './frozen/dependency.ts'
import { freezeUnder } from './frozen/story.ts'
import { sizeOf, startWorld, type World } from './frozen/world.ts'
import { until } from '../support/machine/until.ts'

/*
 * A dependency stops answering for 60 s (SIGSTOP), under a crowd. For EventStoreDB two commands
 * freeze the server: see docs/eventstoredb.md.
 */

const freezeMs = 60_000
/** A scraper of Prometheus gives up after 10 s. The product promises less (docs/operations.md). */
const scrapeWithinMs = 1_000
const readyzWithinMs = 3_000
const recoverWithinMs = 15_000
/**
 * 20 requests wait at a time (4 per second, up to 5 s each) with about 100 kB. A leak of one object
 * of 1 MB per second would be 60 MB; the rest is the garbage that V8 keeps.
 */
const maxGrowthMb = 90
/** Sockets to the crowd that Node keeps open, and the pools, which connect on demand. */
const maxNewFiles = 60

const missing = [
  ['Linux', process.platform === 'linux'],
  ['PRODUCT_EVENTSTORE_URL', process.env.PRODUCT_EVENTSTORE_URL !== undefined],
  ['EVENTSTORE_FREEZE_COMMAND', process.env.EVENTSTORE_FREEZE_COMMAND !== undefined],
  ['EVENTSTORE_THAW_COMMAND', process.env.EVENTSTORE_THAW_COMMAND !== undefined],
].flatMap(([name, isThere]) => (isThere ? [] : [name]))

let world: World
let crowd: Crowd
beforeAll(async () => {
  world = await startWorld()
  crowd = await startCrowd(world, 250)
  // The heap grows to its usual size before it is measured.
  await sleep(20_000)
}, 180_000)
afterAll(async () => {
  await crowd?.stop()
  await world?.close()
}, 60_000)

describe('a product whose dependency is frozen for 60 s', () => {
  freezes('the mail server')
  freezes('the payment provider')
  freezes('PostgreSQL')
  if (missing.length === 0) freezes('EventStoreDB')
  else
    it.skip(`answers within the limits of EventStoreDB (not run: ${missing.join(', ')} is not set, see docs/eventstoredb.md)`, () =>
      undefined)

  it('has lost and doubled nothing', async () => {
    const { dataDir, eventStoreUrl } = world.product
    const env = { DATA_DIR: dataDir, EVENTSTORE_URL: eventStoreUrl }
    expect(await runBilling(env, 'events', 'verify')).toMatchObject({ code: 0 })
    expect(await runBilling(env, 'projections', 'verify')).toMatchObject({ code: 0 })
  }, 120_000)
})

function freezes(dependency: Dependency): void {
  it(`answers within the limits of ${dependency}, does not grow, and recovers without a restart`, async () => {
    const freeze = await freezeUnder({ world, crowd }, dependency, freezeMs)
    console.log(`${dependency}: ${JSON.stringify(freeze)}`)
    const late = Object.entries(freeze.longestMs).filter(
      ([, longest]) => longest > answerWithinMs[dependency],
    )
    expect(late).toEqual([])
    expect(freeze.refused).toBeGreaterThan(0)
    expect(freeze.longestScrapeMs).toBeLessThan(scrapeWithinMs)
    expect(freeze.longestReadyzMs).toBeLessThan(readyzWithinMs)
    expect(freeze.recoveredMs).toBeLessThan(recoverWithinMs)
    expect(freeze.highestRssMb - freeze.before.rssMb).toBeLessThan(maxGrowthMb)
    // Idle connections of the freeze stay open for up to 75 s.
    const isSmall = () => sizeOf(world.pid).files - freeze.before.files < maxNewFiles
    await until(isSmall, 'the memory is not small again', 120)
  }, 300_000)
}
