import { useState } from 'react'
import type { AdminPayment } from '#contracts/admin/payments'
import { mayDo } from '#contracts/admin/roles'
import { useGetSessionQuery } from '../../../api/session-api.ts'
import { lazyDialog } from './lazy-dialog.tsx'

const { Dialog: RefundDialog, usePrepared } = lazyDialog(
  async () => (await import('./refund-dialog.tsx')).RefundDialog,
)

/** Refund a payment. A dialog asks for the amount and the reason, and then for a confirmation. */
export function RefundButton({ payment }: { payment: AdminPayment }) {
  usePrepared()
  const [isOpen, setOpen] = useState(false)
  const role = useGetSessionQuery().data?.administrator?.role
  // The dialog stays open after a change of the role: the server refuses with a sentence.
  if (!isOpen && (role === undefined || !mayDo(role, 'refund'))) return null
  return (
    <>
      <button
        type="button"
        className="row-action row-action-risk"
        aria-label={`Refund payment ${payment.payment_id} of ${payment.customer_email}`}
        onClick={() => setOpen(true)}
      >
        Refund
      </button>
      {isOpen && <RefundDialog payment={payment} onClose={() => setOpen(false)} />}
    </>
  )
}
