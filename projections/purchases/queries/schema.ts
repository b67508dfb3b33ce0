import { schemaOf } from '#projections/engine/read-model'
import { purchases } from '../read-model.ts'

/** The schema of the version that these queries read. */
export const schema = schemaOf(purchases)
