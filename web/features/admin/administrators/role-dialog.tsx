import { useState } from 'react'
import type { AdministratorItem } from '#contracts/admin/administrators'
import { roleNames, type AdminRole } from '#contracts/admin/roles'
import { useChangeRoleMutation } from '../../../api/administrators-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { RoleChoice } from './role-choice.tsx'

interface RoleDialogProps {
  readonly person: AdministratorItem
  /** True for the administrator who is signed in. */
  readonly isOwn: boolean
  readonly onClose: () => void
}

export function RoleDialog({ person, isOwn, onClose }: RoleDialogProps) {
  const [role, setRole] = useState<AdminRole>(person.role)
  const [change, { isLoading, error }] = useChangeRoleMutation()

  async function confirm(): Promise<void> {
    const { data } = await change({ id: person.id, role })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Change the role of ${person.name}`}
      action={role === person.role ? 'Change role' : `Make ${roleNames[role]}`}
      isRisky={isOwn && role !== 'owner'}
      busy={isLoading}
      disabled={role === person.role}
      problem={error === undefined ? null : errorText(error, 'Failed to change the role')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        The new role counts at once, also in pages that <b>{person.name}</b> has open.
        {isOwn && ' This is you: without the role Owner you cannot change it back.'}
      </p>
      <RoleChoice value={role} onChange={setRole} />
    </ConfirmDialog>
  )
}
