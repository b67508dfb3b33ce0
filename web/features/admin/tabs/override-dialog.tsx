import { useRef, useState } from 'react'
import { overrideRefundRequest, type AdminRefund } from '#contracts/admin/refunds'
import type { RefundOverride } from '#contracts/refund-status'
import { useOverrideRefundMutation } from '../../../api/admin-api.ts'
import { errorText } from '../../../lib/http.ts'
import { formatMoney } from '../../../lib/money.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'

const labels: Readonly<Record<RefundOverride, string>> = { pending: 'Pending', failed: 'Failed' }

interface OverrideDialogProps {
  readonly refund: AdminRefund
  readonly status: RefundOverride
  readonly onClose: () => void
}

/** Asks for the reason of the status. */
export function OverrideDialog({ refund, status, onClose }: OverrideDialogProps) {
  const [reason, setReason] = useState('')
  const [invalid, setInvalid] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const [override, { isLoading, error }] = useOverrideRefundMutation()
  const { refund_id, amount, currency, user_email, provider_status } = refund

  async function confirm(): Promise<void> {
    const given = overrideRefundRequest.shape.reason.unwrap().safeParse(reason)
    if (!given.success) {
      field.current?.focus()
      return setInvalid(given.error.issues[0]?.message ?? 'Enter a reason.')
    }
    const result = await override({ refundId: refund_id, status, reason: given.data })
    if (result.error) return
    showToast('success', 'Refund status updated successfully')
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Set the refund to ${labels[status]}?`}
      action={`Set to ${labels[status]}`}
      isRisky={status === 'failed'}
      busy={isLoading}
      problem={error === undefined ? null : errorText(error, 'Failed to update refund status')}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        The refund of <b>{formatMoney(amount, currency)}</b> to <b>{user_email}</b> shows as{' '}
        {labels[status]} until the payment provider reports another status. No money moves. The
        provider's own status, {provider_status.replaceAll('_', ' ')}, stays visible.
      </p>
      <TextField
        label="Reason"
        ref={field}

        value={reason}
        error={invalid ?? undefined}
        onChange={(event) => {
          setReason(event.target.value)
          setInvalid(null)
        }}
      />
    </ConfirmDialog>
  )
}
