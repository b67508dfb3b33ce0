import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { invoiceAct } from '#contracts/receivables/invoice-requests'
import { useActOnInvoiceMutation } from '../../../api/receivables-api.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ActDialog } from './act-dialog.tsx'
import { invoiceForm, type ChosenAct } from './invoice-forms.ts'
import { SeenNotice } from './seen-notice.tsx'
import { useSeen } from './use-seen.ts'
import { useSending } from './use-sending.ts'

interface InvoiceActDialogProps {
  readonly act: ChosenAct
  /** The latest answer of the server. */
  readonly invoice: InvoiceResponse
  readonly onClose: () => void
}

export function InvoiceActDialog({ act, invoice, onClose }: InvoiceActDialogProps) {
  const [call] = useActOnInvoiceMutation()
  const { busy, problem, refusals, isLost, send } = useSending<object>()
  const { seen, ...change } = useSeen(invoice, basisOf, refusals)
  const form = invoiceForm(act, seen)

  function onDone(): void {
    showToast('success', form.done)
    onClose()
  }

  return (
    <ActDialog
      form={form}
      schema={invoiceAct}
      busy={busy}
      problem={problem}
      onSend={(body) => void send((key) => call({ id: invoice.receivableId, key, body }), onDone)}
      onClose={onClose}
    >
      <SeenNotice what={invoice.number} change={change} isLost={isLost} />
    </ActDialog>
  )
}

/** What an act depends on. A new day or a changed debt of another invoice is no part of it. */
const basisOf = (invoice: InvoiceResponse) =>
  JSON.stringify([
    invoice.version,
    invoice.details,
    invoice.figures.open,
    invoice.payments,
    invoice.creditUses,
    invoice.agreements,
    invoice.ended,
    invoice.client.name,
    invoice.client.credits,
  ])
