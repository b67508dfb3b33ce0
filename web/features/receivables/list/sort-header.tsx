import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { SortIcon } from '../../../ui/table-icons.tsx'

export interface Column<Sort extends string> {
  readonly title: string
  readonly sort?: Sort
  /** The direction of the first press. */
  readonly first?: 'asc' | 'desc'
  readonly className?: string
}

interface SortHeaderProps<Sort extends string> {
  readonly columns: readonly Column<Sort>[]
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
  readonly onSort: (sort: Sort, order: 'asc' | 'desc') => void
}

/**
 * Explicit roles: browsers drop the implicit ones from rows of a phone's layout. There only screen
 * readers read the header, so it has no buttons: the focus would vanish in them.
 */
export function SortHeader<Sort extends string>({
  columns,
  sort,
  order,
  onSort,
}: SortHeaderProps<Sort>) {
  const isHidden = useMediaQuery('(max-width: 920px)')
  return (
    <thead role="rowgroup">
      <tr role="row">
        {columns.map((column) => {
          const isCurrent = column.sort === sort
          return (
            <th
              key={column.title}
              role="columnheader"
              scope="col"
              className={column.className}
              aria-sort={isCurrent ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
            >
              {column.sort === undefined || isHidden ? (
                column.title
              ) : (
                <SortButton
                  title={column.title}
                  order={isCurrent ? order : null}
                  onPress={(next) => column.sort && onSort(column.sort, next)}
                  first={column.first ?? 'asc'}
                />
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

interface SortButtonProps {
  readonly title: string
  /** Null for a column that does not sort the list now. */
  readonly order: 'asc' | 'desc' | null
  readonly first: 'asc' | 'desc'
  readonly onPress: (order: 'asc' | 'desc') => void
}

function SortButton({ title, order, first, onPress }: SortButtonProps) {
  const next = order === null ? first : order === 'asc' ? 'desc' : 'asc'
  return (
    <button type="button" className="rcv-sort" onClick={() => onPress(next)}>
      {title}
      <SortIcon order={order === null ? null : order === 'asc' ? 'ascend' : 'descend'} />
    </button>
  )
}
