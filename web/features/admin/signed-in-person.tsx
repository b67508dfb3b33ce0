import { roleNames } from '#contracts/admin/roles'
import { useGetSessionQuery } from '../../api/session-api.ts'
import './signed-in-person.css'

/** The administrator who is signed in. The shared password names no person. */
export function SignedInPerson() {
  const { data } = useGetSessionQuery()
  const person = data?.administrator
  if (person == null) return null
  return (
    <span className="signed-in-person">
      <span className="sr-only">Signed in as </span>
      <b>{person.name ?? 'Shared password'}</b> <span>{roleNames[person.role]}</span>
    </span>
  )
}
