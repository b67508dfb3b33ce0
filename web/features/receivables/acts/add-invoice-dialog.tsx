import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { addInvoiceRequest } from '#contracts/receivables/invoice-requests'
import { useAddClientMutation, useAddInvoiceMutation } from '../../../api/receivables-api.ts'
import { newId } from '../../../lib/new-id.ts'
import { showToast } from '../../../lib/toasts.ts'
import { money } from '../shared/amounts.ts'
import { addDays, fullDay, type Day } from '../shared/days.ts'
import { invoicePath } from '../shared/paths.ts'
import { ActDialog } from './act-dialog.tsx'
import { amountIn, text, type ActForm, type Values } from './act-form.ts'
import { ClientPicker, type PickedClient } from './client-picker.tsx'
import { detailFields, detailsBody } from './details-form.ts'
import { useSending } from './use-sending.ts'

/** The usual term, in days. */
const usualTerm = 30

interface AddInvoiceDialogProps {
  readonly today: Day
  /** Proposed: that of most invoices. */
  readonly currency: string
  /** On the page of a client. */
  readonly client?: { readonly clientId: string; readonly name: string }
  readonly onClose: () => void
}

/** Adds an invoice of a client, who can be new. Leads to the page of the invoice. */
export function AddInvoiceDialog({ today, currency, client, onClose }: AddInvoiceDialogProps) {
  const navigate = useNavigate()
  const [picked, setPicked] = useState<PickedClient | null>(client ?? null)
  const [needsClient, setNeedsClient] = useState(false)
  // The client of a first try whose invoice was refused is not added again.
  const [clientKey] = useState(newId)
  const [addClient] = useAddClientMutation()
  const [addInvoice] = useAddInvoiceMutation()
  const form = formOf(today, currency, picked?.name ?? null)
  const { busy, problem, send } = useSending<{ receivableId: string }>()

  function onDone({ receivableId }: { receivableId: string }): void {
    showToast('success', form.done)
    onClose()
    void navigate(invoicePath(receivableId))
  }

  async function clientId(chosen: PickedClient) {
    if (chosen.clientId !== null) return { data: { clientId: chosen.clientId } }
    const added = await addClient({ key: clientKey, body: newClient(chosen.name) })
    if (added.data) setPicked({ ...chosen, clientId: added.data.clientId })
    return added
  }

  return (
    <ActDialog
      form={form}
      schema={addInvoiceRequest}
      busy={busy}
      problem={problem ?? (needsClient ? 'Choose a client, or type the name of a new one.' : null)}
      onSend={(body) => {
        setNeedsClient(picked === null)
        if (picked === null) return
        void send(async (key) => {
          const owner = await clientId(picked)
          if (owner.data === undefined) return { error: owner.error }
          return addInvoice({ id: owner.data.clientId, key, body })
        }, onDone)
      }}
      onClose={onClose}
    >
      {client === undefined && (
        <ClientPicker
          value={picked}
          onChange={(next) => {
            setPicked(next)
            setNeedsClient(false)
          }}
        />
      )}
    </ActDialog>
  )
}

const newClient = (name: string) => ({
  name,
  number: null,
  email: null,
  phone: null,
  state: null,
  timeZone: null,
  note: null,
})

function formOf(today: Day, proposed: string, clientName: string | null): ActForm {
  const currencyOf = (values: Values) => text(values, 'currency').toLowerCase() || proposed
  const details = {
    issueDate: today,
    dueDate: addDays(today, usualTerm),
    amount: null,
    reference: null,
    url: null,
  }
  return {
    title: clientName === null ? 'Add invoice' : `Add invoice of ${clientName}`,
    fields: [
      { kind: 'line', name: 'number', label: 'Invoice number', half: true },
      {
        kind: 'line',
        name: 'currency',
        label: 'Currency',
        half: true,
        initial: proposed.toUpperCase(),
      },
      ...detailFields(details, proposed, currencyOf),
    ],
    button: (values) => {
      const amount = amountIn(values, 'amount', currencyOf(values))
      return amount === 0 ? 'Add invoice' : `Add ${money(amount, currencyOf(values))}`
    },
    says: (values) => {
      const due = text(values, 'dueDate')
      const whose = clientName ?? 'The client'
      const minor = amountIn(values, 'amount', currencyOf(values))
      const amount = minor === 0 ? 'the amount' : `${money(minor, currencyOf(values))} more`
      return `${whose} then owes ${amount}${due === '' ? '' : `, due ${fullDay(due)}`}. The number and the currency cannot change later. Its reminders follow the schedule.`
    },
    body: (values) => ({
      number: text(values, 'number'),
      currency: currencyOf(values),
      ...detailsBody(values, currencyOf(values)),
    }),
    done: 'The invoice is added.',
  }
}
