import { schemaOf } from '#projections/engine/read-model'
import { users } from '../read-model.ts'

/** The schema of the version that these queries read. */
export const schema = schemaOf(users)
