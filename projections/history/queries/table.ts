import { schemaOf } from '#projections/engine/read-model'
import { history } from '../read-model.ts'

export const table = `${schemaOf(history)}.event`
