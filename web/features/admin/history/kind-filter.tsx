import './kind-filter.css'

interface KindFilterProps<Kind extends string> {
  readonly label: string
  readonly kinds: readonly { readonly value: Kind; readonly label: string }[]
  readonly value: Kind
  readonly onChange: (kind: Kind) => void
}

/** Buttons of which one is pressed. */
export function KindFilter<Kind extends string>({
  label,
  kinds,
  value,
  onChange,
}: KindFilterProps<Kind>) {
  return (
    <div className="kind-filter" role="group" aria-label={label}>
      {kinds.map((kind) => (
        <button
          key={kind.value}
          type="button"
          aria-pressed={kind.value === value}
          onClick={() => onChange(kind.value)}
        >
          {kind.label}
        </button>
      ))}
    </div>
  )
}
