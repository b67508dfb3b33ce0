interface SortChoiceProps<Sort extends string> {
  readonly choices: readonly {
    readonly label: string
    readonly sort: Sort
    readonly order: 'asc' | 'desc'
  }[]
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
  readonly onSort: (sort: Sort, order: 'asc' | 'desc') => void
}

/** The sorting on phones, where the table has no header. */
export function SortChoice<Sort extends string>({
  choices,
  sort,
  order,
  onSort,
}: SortChoiceProps<Sort>) {
  const current = choices.findIndex((choice) => choice.sort === sort && choice.order === order)
  return (
    <span className="select rcv-sort-choice">
      <select
        className="input"
        aria-label="Sort by"
        value={current}
        onChange={(event) => {
          const choice = choices[Number(event.target.value)]
          if (choice) onSort(choice.sort, choice.order)
        }}
      >
        {current === -1 && <option value={-1}>Sort by</option>}
        {choices.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
    </span>
  )
}
