/**
 * A timestamp literal. Its format needs no escaping. With a literal the planner can estimate how
 * much of an index a range covers.
 */
export function moment(at: Date): string {
  return `timestamptz '${at.toISOString()}'`
}
