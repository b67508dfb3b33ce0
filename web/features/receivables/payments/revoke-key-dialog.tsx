import type { ApiKeysResponse } from '#contracts/receivables/api-keys'
import { useRevokeApiKeyMutation } from '../../../api/api-keys-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useSending } from '../acts/use-sending.ts'

export type RevokedKey = Pick<ApiKeysResponse['items'][number], 'keyId' | 'name'>

/** Asks before a key is revoked. */
export function RevokeKeyDialog({
  revokes: { keyId, name },
  onClose,
}: {
  revokes: RevokedKey
  onClose: () => void
}) {
  const [revoke] = useRevokeApiKeyMutation()
  const { busy, problem, send } = useSending<object>()

  function onRevoked(): void {
    showToast('success', `The key of ${name} is revoked.`)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Revoke the key of ${name}?`}
      action="Revoke"
      busy={busy}
      problem={problem}
      onConfirm={() => void send(() => revoke({ keyId }), onRevoked)}
      onClose={onClose}
    >
      <p>The program is refused from then on. A revoked key cannot be used again.</p>
    </ConfirmDialog>
  )
}
