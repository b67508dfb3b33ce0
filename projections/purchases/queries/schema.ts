import { schemaOf } from '#projections/engine/read-model'
import { purchases } from '../read-model.ts'

/** The schema that these queries read: their own version's, and no other. */
export const schema = schemaOf(purchases)
