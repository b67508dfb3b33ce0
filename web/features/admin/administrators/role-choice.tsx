import { useId } from 'react'
import { adminRoles, roleNames, roleTexts, type AdminRole } from '#contracts/admin/roles'
import './role-choice.css'

interface RoleChoiceProps {
  readonly value: AdminRole | null
  readonly onChange: (role: AdminRole) => void
}

/** One role, with what it lets a person do. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const name = useId()
  return (
    <fieldset className="role-choice">
      <legend>Role</legend>
      <div>
        {adminRoles.map((role) => (
          <label key={role}>
            <input
              type="radio"
              name={name}
              checked={role === value}
              onChange={() => onChange(role)}
            />
            <b>{roleNames[role]}</b>
            <small>{roleTexts[role]}</small>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
