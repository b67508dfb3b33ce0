import { useState } from 'react'
import type { ApiKeysResponse } from '#contracts/receivables/api-keys'
import { useRevokeApiKeyMutation } from '../../../api/api-keys-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

export type RevokedKey = Pick<ApiKeysResponse['items'][number], 'keyId' | 'name'>

/** Asks before a key is revoked. */
export function RevokeKeyDialog({
  revokes: { keyId, name },
  onClose,
}: {
  revokes: RevokedKey
  onClose: () => void
}) {
  const [revoke, { isLoading }] = useRevokeApiKeyMutation()
  const [problem, setProblem] = useState<string | null>(null)

  async function confirm(): Promise<void> {
    setProblem(null)
    const { data, error } = await revoke({ keyId })
    if (data === undefined) {
      setProblem(errorText(error, 'The answer was lost. Try again.'))
      return
    }
    showToast('success', `The key of ${name} is revoked.`)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Revoke the key of ${name}?`}
      action="Revoke"
      busy={isLoading}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>The program is refused from then on. A revoked key cannot be used again.</p>
    </ConfirmDialog>
  )
}
