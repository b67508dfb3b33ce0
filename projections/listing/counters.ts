import { atOnce } from '#services/foundation/at-once'
import type { Queryable } from '#services/foundation/queryable'

/*
 * Sums over all rows of a read model, stored in its table `counter` and updated with the rows, so
 * that no page counts rows.
 */

/** A sum, or a change of a sum. `name` is what is counted; each bucket of it has a sum. */
export interface Counter<Name extends string = string> {
  readonly name: Name
  readonly bucket: string
  readonly value: number
}

export const createCounters = (schema: string): string => `
CREATE TABLE ${schema}.counter (
  name   text   NOT NULL,
  bucket text   NOT NULL,
  value  bigint NOT NULL,
  PRIMARY KEY (name, bucket)
);
`

/** The UTC day, for example `2026-03-01`. Text order is date order. */
export function dayBucket(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The changes of the sums when the counted `before` becomes the counted `after`. */
export function changeOfCounters<Name extends string>(
  before: readonly Counter<Name>[],
  after: readonly Counter<Name>[],
): readonly Counter<Name>[] {
  return addedUp([
    ...before.map(({ name, bucket, value }) => ({ name, bucket, value: -value })),
    ...after,
  ])
}

/** One counter per name and bucket, with the sum of the values. Leaves out sums of 0. */
export function addedUp<Name extends string>(
  counters: Iterable<Counter<Name>>,
): readonly Counter<Name>[] {
  const sums = new Map<string, { readonly name: Name; readonly bucket: string; value: number }>()
  for (const { name, bucket, value } of counters) {
    // A name has no line break.
    const key = `${name}\n${bucket}`
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { name, bucket, value })
    else sum.value += value
  }
  return [...sums.values()].filter(({ value }) => value !== 0)
}

/**
 * Adds `changes` to the stored sums. Deletes sums of 0, so that equal histories have equal rows.
 * Updates the sums in the order of their keys: two shards that update the same sums do not
 * deadlock.
 */
export async function moveCounters(
  tx: Queryable,
  schema: string,
  changes: readonly Counter[],
): Promise<void> {
  if (changes.length === 0) return
  const names = changes.map(({ name }) => name)
  const buckets = changes.map(({ bucket }) => bucket)
  await atOnce(
    () =>
      tx.query(
        `INSERT INTO ${schema}.counter AS c (name, bucket, value)
       SELECT name, bucket, value FROM unnest($1::text[], $2::text[], $3::bigint[]) AS moved (name, bucket, value) ORDER BY name, bucket
       ON CONFLICT (name, bucket) DO UPDATE SET value = c.value + excluded.value`,
        [names, buckets, changes.map(({ value }) => value)],
      ),
    () =>
      tx.query(
        `DELETE FROM ${schema}.counter c USING unnest($1::text[], $2::text[]) AS moved (name, bucket)
       WHERE c.name = moved.name AND c.bucket = moved.bucket AND c.value = 0`,
        [names, buckets],
      ),
  )
}
