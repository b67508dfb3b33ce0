import { useRef, useState } from 'react'
import type { AdminPayment } from '#contracts/admin/payments'
import type { RefundablePayment } from '#contracts/admin/refund-payment'
import { codeInWords } from '#contracts/code-in-words'
import { useGetRefundableQuery, useRefundPaymentMutation } from '../../../api/refund-payment-api.ts'
import { errorText, isApiError } from '../../../lib/http.ts'
import { formatMoney } from '../../../lib/money.ts'
import { newId } from '../../../lib/new-id.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import {
  checkDraft,
  emptyDraft,
  type DraftProblems,
  type EnteredRefund,
  type Rest,
} from './refund-draft.ts'
import { RefundForm } from './refund-form.tsx'

interface RefundDialogProps {
  readonly payment: AdminPayment
  readonly onClose: () => void
}

/**
 * Enters a refund, asks for its confirmation with customer and amount, and reports what became of
 * it. One open dialog is one request: a second click and a retry after a lost answer refund once.
 */
export function RefundDialog({ payment: { payment_id: paymentId }, onClose }: RefundDialogProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const [problems, setProblems] = useState<DraftProblems>({})
  /** Null until the form is complete. */
  const [entered, setEntered] = useState<EnteredRefund | null>(null)
  const [requestId, setRequestId] = useState(newId)
  const amountField = useRef<HTMLInputElement>(null)
  const reading = useGetRefundableQuery({ paymentId }, { refetchOnMountOrArgChange: true })
  const [refund, { isLoading, error: failure, data: answer, reset }] = useRefundPaymentMutation()
  const { data: payment } = reading

  function enter(rest: Rest): void {
    const checked = checkDraft(draft, rest)
    setProblems(checked.problems ?? {})
    if (checked.problems === undefined) return setEntered(checked.entered)
    if (checked.problems.amount !== undefined) amountField.current?.focus()
  }

  function goBack(): void {
    reset()
    setEntered(null)
    void reading.refetch()
  }

  async function send({ amount, reason, note }: EnteredRefund, email: string, { currency }: Rest) {
    const { data: made, error } = await refund({
      paymentId,
      request_id: requestId,
      amount,
      currency,
      reason,
      ...(note === '' ? {} : { note }),
    })
    // Nothing is refunded after a refusal, so that another try is another request. If the refusal
    // is about an earlier try of this dialog, that try may have been made: the id stays.
    if (isApiError(error) && error.status === 409 && error.field !== 'request_id')
      setRequestId(newId())
    if (made?.status !== 'created') return
    showToast('success', `Refunded ${formatMoney(amount, currency)} to ${email}`)
    onClose()
  }

  if (payment === undefined)
    return unreadDialog({ reading, onRetry: () => void reading.refetch(), onClose })

  const { rest, obstacle } = payment
  if (answer?.status === 'proposed')
    return endDialog({
      title: 'The refund waits for approval',
      text: `Nothing is refunded yet. Another administrator approves or declines the refund of ${formatMoney(answer.amount, answer.currency)} on the page Approvals within 7 days.`,
      onClose,
    })
  if (answer?.status === 'waiting')
    return endDialog({
      title: 'The refund waits',
      text: `The payment provider has not confirmed the refund of ${formatMoney(answer.amount, answer.currency)} yet. The product tries again until the provider answers, and the list of refunds then has it. Do not refund it again.`,
      onClose,
    })
  if (rest === null || obstacle !== null)
    return endDialog({ title: 'This payment cannot be refunded', text: obstacle, onClose })

  if (entered === null)
    return (
      <ConfirmDialog
        title="Refund this payment"
        action="Continue"
        isRisky={false}
        busy={false}
        problem={null}
        onConfirm={() => enter(rest)}
        onClose={onClose}
      >
        <RefundForm
          payment={payment}
          rest={rest}
          draft={draft}
          problems={problems}
          amountRef={amountField}
          onChange={(next) => {
            setDraft(next)
            setProblems({})
          }}
        />
      </ConfirmDialog>
    )

  return confirmRefund({
    payment,
    rest,
    entered,
    busy: isLoading,
    problem: failure === undefined ? null : errorText(failure, lostAnswer),
    onConfirm: () => void send(entered, payment.customer_email, rest),
    onBack: goBack,
    onClose,
  })
}

/*
 * The steps below are functions and no components: each returns the one dialog, so that it stays
 * open, and keeps the focus, from one step to the next.
 */

interface ConfirmRefundProps {
  readonly payment: RefundablePayment
  readonly rest: Rest
  readonly entered: EnteredRefund
  readonly busy: boolean
  readonly problem: string | null
  readonly onConfirm: () => void
  readonly onBack: () => void
  readonly onClose: () => void
}

function confirmRefund({ payment, rest, entered, onBack, ...dialog }: ConfirmRefundProps) {
  const amount = formatMoney(entered.amount, rest.currency)
  const isProposal = payment.alone_up_to !== null && entered.amount > payment.alone_up_to
  return (
    <ConfirmDialog
      title={`${isProposal ? 'Propose to refund' : 'Refund'} ${amount} to ${payment.customer_name ?? payment.customer_email}?`}
      action={isProposal ? `Propose ${amount}` : `Refund ${amount}`}
      isRisky={!isProposal}
      dismiss="Back"
      onDismiss={onBack}
      {...dialog}
    >
      <p>
        {isProposal ? 'Another administrator must approve this amount. Then the' : 'The'} payment
        provider returns <b>{amount}</b> to <b>{customerOf(payment)}</b>. {partOf(entered, rest)}{' '}
        {!isProposal && 'A refund cannot be taken back.'}
      </p>
      <p>
        Reason: {codeInWords(entered.reason)}.
        {entered.note !== '' && ` Note for the history: ${entered.note}`}
      </p>
    </ConfirmDialog>
  )
}

interface UnreadDialogProps {
  readonly reading: { readonly error?: unknown; readonly isFetching: boolean }
  readonly onRetry: () => void
  readonly onClose: () => void
}

/** While the payment is read, and if it could not be read. */
function unreadDialog({ reading, onRetry, onClose }: UnreadDialogProps) {
  const { error, isFetching } = reading
  return (
    <ConfirmDialog
      title="Refund this payment"
      action={error === undefined ? null : 'Retry'}
      isRisky={false}
      busy={isFetching && error !== undefined}
      problem={error === undefined ? null : errorText(error, 'The payment could not be read.')}
      onConfirm={onRetry}
      onClose={onClose}
    >
      <p role="status">
        {error === undefined ? 'Reading what is left of the payment…' : 'Nothing was refunded.'}
      </p>
    </ConfirmDialog>
  )
}

interface EndDialogProps {
  readonly title: string
  readonly text: string | null
  readonly onClose: () => void
}

/** Nothing can be done here now. */
function endDialog({ title, text, onClose }: EndDialogProps) {
  return (
    <ConfirmDialog
      title={title}
      action={null}
      dismiss="Close"
      busy={false}
      problem={null}
      onConfirm={onClose}
      onClose={onClose}
    >
      <p role="status">{text}</p>
    </ConfirmDialog>
  )
}

/** A second try of the same dialog is the same request. */
const lostAnswer =
  'The answer was lost, so the refund may have been made. Try again: it is made once.'

function customerOf({ customer_name, customer_email }: RefundablePayment): string {
  return customer_name === null ? customer_email : `${customer_name} (${customer_email})`
}

function partOf({ amount }: EnteredRefund, { left, collected, currency }: Rest): string {
  if (amount === collected) return 'This is the whole payment.'
  if (amount === left) return 'This is all that is left of the payment.'
  return `This is a part of the payment of ${formatMoney(collected, currency)}.`
}
