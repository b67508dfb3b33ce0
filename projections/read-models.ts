import { enquiries } from './enquiries/read-model.ts'
import type { ReadModel } from './engine/read-model.ts'
import { history } from './history/read-model.ts'
import { purchases } from './purchases/read-model.ts'
import { users } from './users/read-model.ts'

/** All read models of this release. Operator commands accept their names. */
export const readModels: readonly ReadModel[] = [users, purchases, history, enquiries]
