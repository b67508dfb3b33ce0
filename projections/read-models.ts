import type { ReadModel } from './engine/read-model.ts'
import { purchases } from './purchases/read-model.ts'
import { users } from './users/read-model.ts'

/** Every read model of this release: what is projected, and what an operator may name. */
export const readModels: readonly ReadModel[] = [users, purchases]
