import type { ReadModel } from '../read-model.ts'
import { largestBatch } from '../run/largest-batch.ts'
import { rebuild, type RebuildOptions } from './rebuild.ts'
import type { ShadowProgress } from './shadow.ts'
import { shareLog } from './shared-log.ts'

export interface RebuildTogetherOptions extends Omit<
  RebuildOptions,
  'model' | 'onStart' | 'onEvents' | 'takeLease'
> {
  /** Called before the first event is read. `resumedAfter` of an earlier run are not read again. */
  readonly onStart?: (start: { readonly resumedAfter: number; readonly total: number }) => void
  /** Called when so many more events are folded into all read models. */
  readonly onEvents?: (count: number) => void
}

export interface RebuildOutcome {
  readonly model: ReadModel
  readonly outcome: PromiseSettledResult<ShadowProgress>
}

/**
 * Rebuilds read models at the same time, each as `rebuild` does: with a lease, a shadow, progress
 * and a swap of its own. They share the log: each event is read and decoded once. If one of them
 * fails, the others continue.
 */
export async function rebuildTogether(
  models: readonly ReadModel[],
  { onStart, onEvents, ...options }: RebuildTogetherOptions,
): Promise<readonly RebuildOutcome[]> {
  const { store, codec, maxBatchSize = largestBatch } = options
  const addReader = shareLog({
    log: store,
    codec,
    pageSize: maxBatchSize,
    onStart: async (after) => {
      const [all, left] = [await store.countAfter(null), await store.countAfter(after)]
      onStart?.({ resumedAfter: all - left, total: all })
    },
    ...(onEvents && { onPassed: onEvents }),
  })
  const readers = models.map((model) => ({ model, ...addReader() }))
  return Promise.all(
    readers.map(async ({ model, readAll, decode, leave }) => {
      const [outcome] = await Promise.allSettled([
        rebuild({
          ...options,
          model,
          store: { ...store, readAll },
          codec: { decode },
          maxBatchSize,
        }).finally(leave),
      ])
      return { model, outcome }
    }),
  )
}
