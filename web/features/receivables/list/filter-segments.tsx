import { useEffect, useRef } from 'react'

interface FilterSegmentsProps<Filter extends string> {
  readonly filters: readonly { readonly value: Filter; readonly label: string }[]
  readonly value: Filter
  /** Undefined until the list has loaded. */
  readonly counts: Partial<Readonly<Record<Filter, number>>> | undefined
  readonly onChange: (filter: Filter) => void
}

/** One of several filters, each with the number of its rows. On phones the row scrolls. */
export function FilterSegments<Filter extends string>({
  filters,
  value,
  counts,
  onChange,
}: FilterSegmentsProps<Filter>) {
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const pressed = row.current?.querySelector<HTMLElement>('[aria-pressed=true]')
    if (row.current && pressed) row.current.scrollLeft = pressed.offsetLeft - 16
  }, [value, counts])

  return (
    <div ref={row} className="rcv-segments" role="group" aria-label="Show">
      {filters.map((filter) => (
        <button
          key={filter.value}
          type="button"
          aria-pressed={filter.value === value}
          onClick={() => onChange(filter.value)}
        >
          {filter.label}
          {counts?.[filter.value] !== undefined && (
            <span>{counts[filter.value]?.toLocaleString('en-US')}</span>
          )}
        </button>
      ))}
    </div>
  )
}
