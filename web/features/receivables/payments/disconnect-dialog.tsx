import type { PaymentSettings } from '#contracts/receivables/payments'
import { useDisconnectAccountMutation } from '../../../api/payments-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useSending } from '../acts/use-sending.ts'

interface DisconnectDialogProps {
  readonly accountId: string
  readonly provider: string
  readonly onClose: () => void
}

/** Asks before clients cannot pay by card any more. */
export function DisconnectDialog({ accountId, provider, onClose }: DisconnectDialogProps) {
  const [disconnect] = useDisconnectAccountMutation()
  const { busy, problem, send } = useSending<PaymentSettings>()

  function onDisconnected(): void {
    showToast('success', 'The account is disconnected.')
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Disconnect the ${provider} account?`}
      action="Disconnect"
      busy={busy}
      problem={problem}
      onConfirm={() => void send((key) => disconnect({ key, accountId }), onDisconnected)}
      onClose={onClose}
    >
      <p>Your clients cannot pay by card from then on. Payments that were made stay as they are.</p>
      <p>The account itself stays yours at {provider}, with its money. You can connect it again.</p>
    </ConfirmDialog>
  )
}
