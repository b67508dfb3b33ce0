import { useId } from 'react'
import { unreachable } from '../../../lib/unreachable.ts'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { currencyOf, type ActField, type Values } from './act-form.ts'
import type { Problems } from './form-problems.ts'

interface ActFieldsProps {
  readonly fields: readonly ActField[]
  readonly values: Values
  readonly problems: Problems
  readonly onChange: (name: string, value: string) => void
}

export function ActFields({ fields, values, problems, onChange }: ActFieldsProps) {
  return (
    <div className="act-fields">
      {fields.map((field) => (
        <div key={field.name} className={field.half ? 'act-half' : 'act-whole'}>
          <Control
            field={field}
            values={values}
            error={problems[field.name]}
            onChange={(value) => onChange(field.name, value)}
          />
          {field.hint !== undefined && <p className="act-hint">{field.hint}</p>}
        </div>
      ))}
    </div>
  )
}

interface ControlProps {
  readonly field: ActField
  readonly values: Values
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function Control({ field, values, error, onChange }: ControlProps) {
  const value = values[field.name] ?? ''
  const shared = {
    label: field.label,
    name: field.name,
    optional: field.optional ?? false,
    value,
    autoComplete: 'off',
    ...(error !== undefined && { error }),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  switch (field.kind) {
    case 'line':
      return <TextField {...shared} type={field.type ?? 'text'} dir="auto" />
    case 'lines':
      return <TextAreaField {...shared} rows={3} dir="auto" />
    case 'amount':
      return (
        <TextField
          {...shared}
          label={`${field.label}, ${currencyOf(field, values).toUpperCase()}`}
          inputMode="decimal"
        />
      )
    case 'day':
      return <TextField {...shared} type="date" min={field.min} max={field.max} />
    case 'check':
      return (
        <label className="act-check">
          <input
            type="checkbox"
            checked={value === 'yes'}
            onChange={(event) => onChange(event.target.checked ? 'yes' : '')}
          />
          <span>{field.label}</span>
        </label>
      )
    case 'choice':
      return <Choice field={field} values={values} error={error} onChange={onChange} />
    default:
      return unreachable(field)
  }
}

function Choice({
  field,
  values,
  error,
  onChange,
}: ControlProps & { readonly field: Extract<ActField, { kind: 'choice' }> }) {
  const id = useId()
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{field.label}</label>
        {field.optional && <span className="field-optional">Optional</span>}
      </div>
      <span className="select">
        <select
          id={id}
          className="input"
          value={values[field.name] ?? ''}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => onChange(event.target.value)}
        >
          {field.options.map(({ value: option, label }) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      </span>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
