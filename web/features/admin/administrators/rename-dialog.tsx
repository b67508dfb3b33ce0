import { useState } from 'react'
import { renameAdministratorRequest, type AdministratorItem } from '#contracts/admin/administrators'
import { useRenameAdministratorMutation } from '../../../api/administrators-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'

interface RenameDialogProps {
  readonly person: AdministratorItem
  readonly onClose: () => void
}

export function RenameDialog({ person, onClose }: RenameDialogProps) {
  const [name, setName] = useState(person.name)
  const [problem, setProblem] = useState<string>()
  const [rename, { isLoading, error }] = useRenameAdministratorMutation()

  async function confirm(): Promise<void> {
    const given = renameAdministratorRequest.safeParse({ name })
    if (!given.success) return setProblem(given.error.issues[0]?.message)
    const { data } = await rename({ id: person.id, ...given.data })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Rename ${person.name}`}
      action="Rename"
      isRisky={false}
      busy={isLoading}
      disabled={name.trim() === '' || name.trim() === person.name}
      problem={error === undefined ? null : errorText(error, 'Failed to rename the administrator')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        The history shows the new name, also for what the person did before. The address{' '}
        <b>{person.email}</b> stays: for another address, add another administrator.
      </p>
      <TextField
        label="Name"
        autoComplete="off"
        autoFocus
        value={name}
        error={problem}
        onChange={({ target }) => {
          setName(target.value)
          setProblem(undefined)
        }}
      />
    </ConfirmDialog>
  )
}
