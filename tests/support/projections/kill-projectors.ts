import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadModel } from '#projections/engine/read-model'
import { seededInteger, seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import type { ProjectionFixture } from './projection-fixture.ts'
import { startProjectorProcess } from './start-projector.ts'

/**
 * Starts a projector process and kills it with SIGKILL at a moment that the seed determines,
 * `kills` times. The log must be long enough that no process reaches its end.
 */
export async function killProjectors(
  fixture: ProjectionFixture,
  model: ReadModel,
  { kills, seed }: { kills: number; seed: number },
): Promise<void> {
  const random = seededRandom(seed)
  for (let kill = 1; kill <= kills; kill += 1) {
    const projector = await startProjectorProcess({
      model: model.name,
      connectionString: fixture.db.connectionString,
      maxBatchSize: seededInteger(random, 1, 4),
      pauseMs: seededInteger(random, 0, 4),
    })
    const batches = seededInteger(random, 1, 8)
    const deadline = Date.now() + 15_000
    while (projector.projected() < batches) {
      if (Date.now() > deadline)
        throw new Error(
          `The projector folded nothing before kill ${kill}: the log is too short, or the projector cannot take the lease.`,
        )
      await sleep(1)
    }
    await sleep(seededInteger(random, 0, 15))
    await projector.kill()
  }
}
