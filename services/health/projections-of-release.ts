import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'

/**
 * Without the versions of other releases. After an upgrade no process projects the old tables until
 * an operator drops them, and an alarm about them would be false. During an upgrade the processes
 * of the other release report its versions.
 */
export function projectionsOfRelease<
  Overview extends { readonly projections: readonly { readonly schema: string }[] },
>(overview: Overview): Overview {
  const own = new Set(readModels.map(schemaOf))
  return { ...overview, projections: overview.projections.filter(({ schema }) => own.has(schema)) }
}
