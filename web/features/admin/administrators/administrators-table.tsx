import type { AdministratorItem } from '#contracts/admin/administrators'
import { roleNames } from '#contracts/admin/roles'
import { Chip } from '../../../ui/chip.tsx'
import { usePageDialog } from '../page-dialogs.tsx'
import { Day, DayAndTime, None } from '../table/cells.tsx'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import '../table/row-actions.css'
import './administrators-table.css'

const role = lazyDialog(async () => (await import('./role-dialog.tsx')).RoleDialog)
const rename = lazyDialog(async () => (await import('./rename-dialog.tsx')).RenameDialog)
const end = lazyDialog(async () => (await import('./end-dialog.tsx')).EndDialog)
const passkeysOf = lazyDialog(
  async () => (await import('./remove-passkeys-dialog.tsx')).RemovePasskeysDialog,
)

interface AdministratorsTableProps {
  /** In the order in which they were added, ended ones included. */
  readonly people: readonly AdministratorItem[]
  readonly ownId: string | undefined
}

/** By what they change about a person. */
const dialogs = {
  role: role.Dialog,
  name: rename.Dialog,
  passkeys: passkeysOf.Dialog,
  end: end.Dialog,
}
type About = keyof typeof dialogs

/** The people who administer the product now, then those who did. */
export function AdministratorsTable({ people, ownId }: AdministratorsTableProps) {
  role.usePrepared()
  rename.usePrepared()
  end.usePrepared()
  passkeysOf.usePrepared()
  const showDialog = usePageDialog()
  const active = people.filter(({ ended_at }) => ended_at === null)
  const ended = people.filter(({ ended_at }) => ended_at !== null)
  return (
    <table className="people">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Since</th>
          <th scope="col">Last sign-in</th>
          <th scope="col" className="align-right">
            Passkeys
          </th>
          <th scope="col" className="align-right">
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {[...active, ...ended].map((person) => (
          <Row
            key={person.id}
            person={person}
            isOwn={person.id === ownId}
            onAsk={(about) => {
              const Dialog = dialogs[about]
              showDialog((close) => (
                <Dialog person={person} isOwn={person.id === ownId} onClose={close} />
              ))
            }}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly person: AdministratorItem
  readonly isOwn: boolean
  readonly onAsk: (about: About) => void
}

function Row({ person, isOwn, onAsk }: RowProps) {
  const { name, email, added_at, last_sign_in_at, passkeys, ended_at } = person
  return (
    <tr className={ended_at === null ? undefined : 'person-ended'}>
      <th scope="row">
        {name}
        {isOwn && <span className="muted"> (you)</span>}
        <small>{email}</small>
      </th>
      <td data-label="Role">
        {ended_at === null ? roleNames[person.role] : <Chip tone="ended">Ended</Chip>}
      </td>
      <td data-label="Since">
        <Day at={added_at} />
        {ended_at !== null && (
          <small>
            Ended <Day at={ended_at} />
          </small>
        )}
      </td>
      <td data-label="Last sign-in">
        {last_sign_in_at === null ? <None>Never</None> : <DayAndTime at={last_sign_in_at} />}
      </td>
      <td data-label="Passkeys" className="align-right num">
        {ended_at === null ? passkeys : <None>None</None>}
      </td>
      <td className="align-right">
        {ended_at === null && (
          <span className="row-actions">
            <button
              type="button"
              className="row-action"
              aria-label={`Change the role of ${name}`}
              onClick={() => onAsk('role')}
            >
              Change role
            </button>
            <button
              type="button"
              className="row-action"
              aria-label={`Rename ${name}`}
              onClick={() => onAsk('name')}
            >
              Rename
            </button>
            {passkeys > 0 && (
              <button
                type="button"
                className="row-action row-action-risk"
                aria-label={`Remove all passkeys of ${name}`}
                onClick={() => onAsk('passkeys')}
              >
                Remove passkeys
              </button>
            )}
            <button
              type="button"
              className="row-action row-action-risk"
              aria-label={`End ${name}`}
              onClick={() => onAsk('end')}
            >
              End
            </button>
          </span>
        )}
      </td>
    </tr>
  )
}
