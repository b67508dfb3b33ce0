import { namesOf, plainName } from './target-names.ts'
import { targets, type Mapping, type Target } from './targets.ts'

/** The clearness of each name: 0 is the clearest of its target. */
const ranks: ReadonlyMap<string, { readonly target: Target; readonly rank: number }> = new Map(
  targets.flatMap((target) => namesOf[target].map((name, rank) => [name, { target, rank }])),
)

/**
 * The target of each column by its name. A column of a header of two lines has several names. Of
 * two columns for one target, the clearer name wins, then the first column.
 */
export function proposeColumns(columns: readonly (readonly string[])[]): Mapping {
  const found = columns
    .flatMap((names, column) =>
      names.flatMap((name) => {
        const known = ranks.get(plainName(name))
        return known === undefined ? [] : { column, ...known }
      }),
    )
    .sort((a, b) => a.rank - b.rank || a.column - b.column)
  const mapping: (Target | null)[] = columns.map(() => null)
  for (const { column, target } of found)
    if (mapping[column] === null && !mapping.includes(target)) mapping[column] = target
  return withAmount(mapping)
}

/**
 * A report of open invoices can have the open amount alone: it is then the amount. The amounts of
 * lines are only added if no column has the amount of the invoice.
 */
function withAmount(mapping: Mapping): Mapping {
  if (mapping.includes('amount'))
    return mapping.map((target) => (target === 'lineTotal' ? null : target))
  if (mapping.includes('lineTotal')) return mapping
  return mapping.map((target) => (target === 'openAmount' ? 'amount' : target))
}
