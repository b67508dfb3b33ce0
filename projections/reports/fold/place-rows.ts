import type { Queryable } from '#services/foundation/queryable'

/** Which event it is. `seq` is its number in the log. */
export interface Place {
  readonly seq: number
  readonly eventId: string
  readonly userId: string
  /** The billing stream of the user; that of a client for a fee on its payment. */
  readonly stream: string
  readonly revision: number
}

/** Where the events of a batch that have effects are in the log. */
export interface PlaceRows {
  add(place: Place): void
  save(): Promise<void>
}

export function createPlaceRows(tx: Queryable, schema: string): PlaceRows {
  const rows: Place[] = []
  return {
    add(place) {
      rows.push(place)
    },
    async save() {
      if (rows.length === 0) return
      await tx.query(
        `INSERT INTO ${schema}.place (seq, stream, revision) SELECT * FROM unnest($1::bigint[], $2::text[], $3::integer[])`,
        [
          rows.map(({ seq }) => seq),
          rows.map(({ stream }) => stream),
          rows.map(({ revision }) => revision),
        ],
      )
    },
  }
}
