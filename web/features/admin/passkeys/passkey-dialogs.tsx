import { startRegistration } from '@simplewebauthn/browser'
import { useState } from 'react'
import type { ListedPasskey } from '#contracts/admin/passkeys'
import {
  useAddPasskeyMutation,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
  useStartPasskeyMutation,
} from '../../../api/passkeys-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { passkeyProblem } from './passkey-problems.ts'

interface DialogProps {
  readonly onClose: () => void
}

interface OfPasskey extends DialogProps {
  readonly passkey: ListedPasskey
}

/** The name first: the authenticator asks for itself. */
export function AddPasskey({ onClose }: DialogProps) {
  const [label, setLabel] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [start] = useStartPasskeyMutation()
  const [add] = useAddPasskeyMutation()

  async function confirm(): Promise<void> {
    setIsBusy(true)
    setProblem(null)
    try {
      const optionsJSON = await start().unwrap()
      await add({ label, passkey: await startRegistration({ optionsJSON }) }).unwrap()
      showToast('success', `The passkey ${label.trim()} was added.`)
      onClose()
    } catch (error) {
      setProblem(passkeyProblem(error, 'The passkey could not be added. Try again.'))
      setIsBusy(false)
    }
  }

  return (
    <ConfirmDialog
      title="Add a passkey"
      action="Continue"
      isRisky={false}
      busy={isBusy}
      disabled={label.trim() === ''}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>Name the device. Then your browser asks for its fingerprint, face or PIN.</p>
      <NameField value={label} onChange={setLabel} />
    </ConfirmDialog>
  )
}

export function RenamePasskey({ passkey: { passkeyId, label: before }, onClose }: OfPasskey) {
  const [label, setLabel] = useState(before)
  const [rename, { isLoading, error }] = useRenamePasskeyMutation()

  async function confirm(): Promise<void> {
    const { data } = await rename({ passkeyId, label })
    if (data !== undefined) onClose()
  }

  return (
    <ConfirmDialog
      title="Rename the passkey"
      action="Rename"
      isRisky={false}
      busy={isLoading}
      disabled={label.trim() === ''}
      problem={error === undefined ? null : errorText(error, 'The passkey was not renamed.')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <NameField value={label} onChange={setLabel} />
    </ConfirmDialog>
  )
}

export function RemovePasskey({ passkey: { passkeyId, label }, onClose }: OfPasskey) {
  const [remove, { isLoading, error }] = useRemovePasskeyMutation()

  async function confirm(): Promise<void> {
    const { data } = await remove({ passkeyId })
    if (data === undefined) return
    showToast('success', `The passkey ${label} was removed.`)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Remove ${label}?`}
      action="Remove"
      busy={isLoading}
      problem={error === undefined ? null : errorText(error, 'The passkey was not removed.')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        The passkey signs in no more, and your other sessions end. Delete it on the device, too:
        only the device can do that.
      </p>
    </ConfirmDialog>
  )
}

interface NameFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function NameField({ value, onChange }: NameFieldProps) {
  return (
    <TextField
      label="Name"
      placeholder="Work laptop"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
