import { useState } from 'react'
import { addAdministratorRequest } from '#contracts/admin/administrators'
import type { AdminRole } from '#contracts/admin/roles'
import { useAddAdministratorMutation } from '../../../api/administrators-api.ts'
import { errorText, isRefusal } from '../../../lib/http.ts'
import { newId } from '../../../lib/new-id.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { RoleChoice } from './role-choice.tsx'

/** A second try of the same dialog is the same request. */
const lostAnswer = 'The answer was lost. Try again: the administrator is added once.'

type Problems = { readonly [Field in 'name' | 'email']?: string }

/** Adds a person. The key is that of the dialog, so a repeat adds one person. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState(newId)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<AdminRole | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [add, { isLoading, error }] = useAddAdministratorMutation()

  async function confirm(): Promise<void> {
    if (role === null) return
    const given = addAdministratorRequest.safeParse({ name, email, role })
    if (!given.success) return setProblems(problemsOf(given.error.issues))
    const { data, error: failure } = await add({ key, ...given.data })
    if (data === undefined) {
      // A refused call recorded nothing, and the next one has other values. If the answer was lost,
      // the person may have been added: the key stays.
      if (isRefusal(failure)) setKey(newId())
      return
    }
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title="Add an administrator"
      action="Add administrator"
      isRisky={false}
      busy={isLoading}
      disabled={name.trim() === '' || email.trim() === '' || role === null}
      problem={error === undefined ? null : errorText(error, lostAnswer)}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        The person signs in with the shared password and a code that is mailed to this address. Give
        the person the password: no mail contains it.
      </p>
      <TextField
        label="Name"
        autoComplete="off"
        autoFocus
        value={name}
        error={problems.name}
        onChange={({ target }) => {
          setName(target.value)
          setProblems({})
        }}
      />
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="off"
        value={email}
        error={problems.email}
        onChange={({ target }) => {
          setEmail(target.value)
          setProblems({})
        }}
      />
      <RoleChoice value={role} onChange={setRole} />
    </ConfirmDialog>
  )
}

function problemsOf(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): Problems {
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}
