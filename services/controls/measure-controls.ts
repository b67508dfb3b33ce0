import type { Queryable } from '#services/foundation/queryable'
import { countFirings, type FiringCount } from './firings.ts'
import { countParkedCustomers } from './parked-customers.ts'

/** The state of the controls, for the metrics. */
export async function measureControls(db: Queryable): Promise<{
  readonly firings: readonly FiringCount[]
  readonly parkedCustomers: number
}> {
  return { firings: await countFirings(db), parkedCustomers: await countParkedCustomers(db) }
}
