import { Description, Descriptions } from '../../../ui/descriptions.tsx'
import type { CellContext, TabQuery, ListTab } from './list-tab.ts'

interface RowDetailsProps<Item, Query extends TabQuery> {
  readonly tab: ListTab<Item, Query>
  readonly item: Item
  readonly context: CellContext<Item>
  readonly isSmallScreen: boolean
}

/** The expanded row. On small screens it begins with the columns that the row does not show. */
export function RowDetails<Item, Query extends TabQuery>({
  tab,
  item,
  context,
  isSmallScreen,
}: RowDetailsProps<Item, Query>) {
  const hidden = tab.columns.filter(
    ({ smallScreen, isLong }) => smallScreen === 'details' || isLong,
  )
  const actions = tab.columns.filter(({ smallScreen }) => smallScreen === 'actions')
  return (
    <div className="row-details">
      {isSmallScreen && hidden.length > 0 && (
        <section aria-label="Details">
          <Descriptions>
            {hidden.map(({ title, cell }) => (
              <Description key={title} term={title}>
                {cell(item, context)}
              </Description>
            ))}
          </Descriptions>
        </section>
      )}
      {tab.details?.(item, context)}
      {isSmallScreen && actions.length > 0 && (
        <footer>
          {actions.map(({ title, cell }) => (
            <div key={title}>{cell(item, context)}</div>
          ))}
        </footer>
      )}
    </div>
  )
}
