import type { TimeZone } from '#services/finance/time-zone'
import { enquiries } from './enquiries/read-model.ts'
import type { ReadModel } from './engine/read-model.ts'
import { history } from './history/read-model.ts'
import { purchases } from './purchases/read-model.ts'
import { reports, reportsIn } from './reports/read-model.ts'
import { users } from './users/read-model.ts'

/**
 * All read models of this release. Operator commands accept their names. What projects them uses
 * `readModelsIn`.
 */
export const readModels: readonly ReadModel[] = [users, purchases, history, enquiries, reports]

/** The read models, as they fold the log where days and months are those of `timeZone`. */
export function readModelsIn(timeZone: TimeZone): readonly ReadModel[] {
  return readModels.map((model) => (model === reports ? reportsIn(timeZone) : model))
}
