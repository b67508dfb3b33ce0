import type { TimeZone } from '#services/finance/time-zone'
import { enquiries } from './enquiries/read-model.ts'
import type { ReadModel } from './engine/read-model.ts'
import { history } from './history/read-model.ts'
import { imports } from './imports/read-model.ts'
import { purchases } from './purchases/read-model.ts'
import { receivables } from './receivables/read-model.ts'
import { reports, reportsIn } from './reports/read-model.ts'
import { stops } from './stops/read-model.ts'
import { users } from './users/read-model.ts'

/** All read models of this release. Operator commands accept their names. */
export const readModels: readonly ReadModel[] = [
  users,
  purchases,
  history,
  enquiries,
  reports,
  receivables,
  imports,
  stops,
]

/**
 * The read model, as it folds the log where days and months are those of `timeZone`. What projects,
 * rebuilds or verifies a read model uses this one.
 */
export function readModelIn(model: ReadModel, timeZone: TimeZone): ReadModel {
  return model === reports ? reportsIn(timeZone) : model
}
