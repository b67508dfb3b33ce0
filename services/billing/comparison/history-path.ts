import type { Instant } from '#contracts/instant'
import type { Change } from '#services/payments/provider-change'

interface PathEnds<Value> {
  /** The recorded value, and the time of its last recorded change; null without one. */
  readonly from: Value
  readonly since: Instant | null
  /** The present value; null if the object has ended, so that every change counts. */
  readonly to: { readonly value: Value } | null
}

/**
 * The changes that lead from the recorded value to the present value. Each change starts with the
 * value that the change before it ends with. The provider dates events by the second, so a change
 * is chosen by its values, not only by its time.
 */
export function pathOf<Value>(
  changes: readonly Change<Value>[],
  { from, since, to }: PathEnds<Value>,
  isEqual: (a: Value, b: Value) => boolean,
): readonly Change<Value>[] {
  const newer = changes.filter(({ at }) => since === null || at > since)
  const path = linked(newer, from, isEqual)
  if (to === null) return path
  const isPresent = (value: Value) => isEqual(value, to.value)
  const reached = path.findLastIndex((change) => isPresent(change.to)) + 1
  if (reached > 0 || isPresent(from)) return path.slice(0, reached)
  // The last recorded change and the next change can have the same second.
  const fromSameSecond = linked(
    changes.filter(({ at }) => since === null || at >= since),
    from,
    isEqual,
  )
  const end = fromSameSecond.findLastIndex((change) => isPresent(change.to)) + 1
  return end > 0 ? fromSameSecond.slice(0, end) : path
}

/** The chain of changes that begins with `from`, without the changes that do not fit. */
function linked<Value>(
  changes: readonly Change<Value>[],
  from: Value,
  isEqual: (a: Value, b: Value) => boolean,
): readonly Change<Value>[] {
  const path: Change<Value>[] = []
  let current = from
  let remaining = changes
  for (;;) {
    const wanted = current
    const next = remaining.find((change) => isEqual(change.from, wanted))
    if (next === undefined) return path
    path.push(next)
    current = next.to
    remaining = remaining.filter((change) => change !== next && change.at >= next.at)
  }
}
