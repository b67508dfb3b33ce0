import type { Queryable } from '#services/foundation/queryable'
import { groupOf } from '../group-of.ts'
import { isLedgerReport } from '../ledger-reports.ts'
import type { Addition } from './facts-of.ts'

/** Which event it is. `seq` numbers the events with facts in the order of the log. */
export interface Place {
  readonly seq: number
  readonly eventId: string
  readonly userId: string
  /** The billing stream of the user; that of a client for a fee on its payment. */
  readonly stream: string
  readonly revision: number
}

/** The rows of contributions of a batch. */
export interface ContributionRows {
  add(place: Place, additions: readonly Addition[]): void
  save(): Promise<void>
}

export function createContributionRows(tx: Queryable, schema: string): ContributionRows {
  const rows: (Place & Addition & { readonly ordinal: number })[] = []
  return {
    add(place, additions) {
      for (const [ordinal, addition] of additions.entries())
        if (!isLedgerReport(addition.report)) rows.push({ ...place, ...addition, ordinal })
    },
    async save() {
      if (rows.length === 0) return
      await tx.query(
        `INSERT INTO ${schema}.contribution (report, "group", figure, month, seq, ordinal, event_id, user_id, revision, day, amount)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::integer[], $7::text[], $8::text[], $9::integer[], $10::text[], $11::bigint[])`,
        [
          rows.map(({ report }) => report),
          rows.map(({ contribution }) => groupOf(contribution.row)),
          rows.map(({ contribution }) => contribution.column),
          rows.map(({ contribution }) => contribution.row['month']),
          rows.map(({ seq }) => seq),
          rows.map(({ ordinal }) => ordinal),
          rows.map(({ eventId }) => eventId),
          rows.map(({ userId }) => userId),
          rows.map(({ revision }) => revision),
          rows.map(({ contribution }) => contribution.day),
          rows.map(({ contribution }) => contribution.amount),
        ],
      )
    },
  }
}
