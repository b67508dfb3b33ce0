import { useId } from 'react'

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly options: Readonly<Record<Value, string>>
  readonly value: Value
  readonly disabled: boolean
  readonly onChange: (value: Value) => void
}

/** One of a few values, all of them visible. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  disabled,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId()
  const names = Object.entries<string>(options) as [Value, string][]
  return (
    <div className="field">
      <span className="field-head" id={id}>
        {label}
      </span>
      <div className="schedule-choice" role="group" aria-labelledby={id}>
        {names.map(([option, name]) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === value}
            disabled={disabled}
            onClick={() => onChange(option)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}
