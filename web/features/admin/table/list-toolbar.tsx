import { Segmented, Select } from 'antd'
import { useGetAdminSummaryQuery } from '../../../api/admin-api.ts'
import type { ListPatch } from '../../../lib/list-query.ts'
import { DayField } from '../day-field.tsx'
import { ChevronDownIcon } from '../../../ui/table-icons.tsx'
import { TabLabel } from '../tab-label.tsx'
import { ExportButtons } from './export-buttons.tsx'
import type { TabQuery, ListTab } from './list-tab.ts'
import { SearchField } from './search-field.tsx'

interface ListToolbarProps<Item, Query extends TabQuery> {
  readonly tab: ListTab<Item, Query>
  readonly query: Query
  /** The rows of the list. Undefined until the first page has loaded. */
  readonly total: number | undefined
  readonly onChange: (patch: ListPatch) => void
}

export function ListToolbar<Item, Query extends TabQuery>({
  tab,
  query,
  total,
  onChange,
}: ListToolbarProps<Item, Query>) {
  const { currentData: summary } = useGetAdminSummaryQuery()
  return (
    <div className="list-toolbar" role="search" aria-label={tab.title}>
      <SearchField
        label={`Search ${tab.what}`}
        placeholder={tab.searchPlaceholder}
        value={query.search}
        onChange={(search) => onChange({ search })}
      />
      {tab.filters.map(({ key, label, look, options }) => {
        // The controls of antd know texts only. An empty text stands for no restriction.
        const choices = options.map((option) => ({
          label: option.count ? (
            <TabLabel title={option.label} count={summary && option.count(summary)} />
          ) : (
            option.label
          ),
          value: String(option.value ?? ''),
        }))
        const value = String(query[key] ?? '')
        const onSelect = (selected: string) => onChange({ [key]: selected || undefined })
        return look === 'segments' ? (
          <Segmented
            key={key}
            className="list-segments"
            aria-label={label}
            options={choices}
            value={value}
            onChange={onSelect}
          />
        ) : (
          <Select
            key={key}
            className="list-menu"
            aria-label={label}
            suffixIcon={<ChevronDownIcon />}
            popupMatchSelectWidth={false}
            options={choices}
            value={value}
            onChange={onSelect}
          />
        )
      })}
      {'from' in tab.query.shape && (
        <>
          <DayField
            label="From"
            value={query.from ?? null}
            onChange={(day) => onChange({ from: day ?? undefined })}
          />
          <DayField
            label="To"
            value={query.to ?? null}
            onChange={(day) => onChange({ to: day ?? undefined })}
          />
        </>
      )}
      <SortMenu tab={tab} query={query} onChange={onChange} />
      <ExportButtons tab={tab} query={query} total={total} />
    </div>
  )
}

/** The sorting on small screens, where the table has no header. */
function SortMenu<Item, Query extends TabQuery>({
  tab,
  query,
  onChange,
}: Omit<ListToolbarProps<Item, Query>, 'total'>) {
  const orders = Object.entries<ListTab<Item, Query>['orders'][Query['sort']]>(tab.orders)
  const choices = orders.flatMap(([sort, options]) =>
    options.map(({ label, order }) => ({ sort, order, label })),
  )
  const current = choices.find(({ sort, order }) => sort === query.sort && order === query.order)
  return (
    <Select
      className="list-menu list-sort"
      aria-label="Sort by"
      suffixIcon={<ChevronDownIcon />}
      popupMatchSelectWidth={false}
      options={choices.map(({ label }) => ({ value: label, label }))}
      value={current?.label ?? 'Sort by'}
      onChange={(label) => {
        const choice = choices.find((candidate) => candidate.label === label)
        if (choice) onChange({ sort: choice.sort, order: choice.order })
      }}
    />
  )
}
