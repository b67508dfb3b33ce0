import { useId } from 'react'
import { sharedLogin } from '#contracts/admin/history'
import '../day-field.css'
import './person-filter.css'

interface PersonFilterProps {
  readonly people: readonly { readonly id: string; readonly name: string }[]
  /** The id of an administrator, or `sharedLogin`. Null for all. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** Whose acts the list shows. The sign-ins with the shared password are one choice. */
export function PersonFilter({ people, value, onChange }: PersonFilterProps) {
  const id = useId()
  const isKnown =
    value === null || value === sharedLogin || people.some((person) => person.id === value)
  return (
    // The label does not contain the select: its text would have the names of all options.
    <div className="day-field person-field">
      <label htmlFor={id}>Person</label>
      <span className="select">
        <select
          className="input"
          id={id}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          <option value="">All people</option>
          {people.map(({ id: adminId, name }) => (
            <option key={adminId} value={adminId}>
              {name}
            </option>
          ))}
          <option value={sharedLogin}>Shared password</option>
          {!isKnown && <option value={value}>Unknown person</option>}
        </select>
      </span>
    </div>
  )
}
