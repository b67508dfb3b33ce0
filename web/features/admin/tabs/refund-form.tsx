import type { Ref } from 'react'
import { codeInWords } from '#contracts/code-in-words'
import type { RefundablePayment } from '#contracts/admin/refund-payment'
import { refundReasons } from '#contracts/refund-reasons'
import { formatMoney } from '../../../lib/money.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { amountOf, type DraftProblems, type RefundDraft, type Rest } from './refund-draft.ts'

/** Amount, reason and note of a refund. */
export function RefundForm({
  payment,
  rest,
  draft,
  problems,
  amountRef,
  onChange,
}: {
  readonly payment: RefundablePayment
  readonly rest: Rest
  readonly draft: RefundDraft
  readonly problems: DraftProblems
  readonly amountRef: Ref<HTMLInputElement>
  readonly onChange: (draft: RefundDraft) => void
}) {
  const { currency, left, collected, refunded, waiting } = rest
  const { alone_up_to: alone } = payment
  return (
    <>
      <p>
        {payment.customer_name !== null && <>{payment.customer_name}, </>}
        <b>{payment.customer_email}</b>, paid <b>{formatMoney(collected, currency)}</b>.
        {refunded > 0 && ` ${formatMoney(refunded, currency)} is refunded.`}
        {waiting > 0 &&
          ` A refund of ${formatMoney(waiting, currency)} waits for the payment provider.`}{' '}
        {formatMoney(left, currency)} is left.
        {alone !== null && alone < left && ` ${approvalRule(alone, currency)}`}
      </p>
      <TextField
        label={`Amount in ${currency.toUpperCase()}`}
        ref={amountRef}
        inputMode="decimal"
        autoComplete="off"
        value={amountOf(draft, rest)}
        error={problems.amount}
        onChange={(event) => onChange({ ...draft, amount: event.target.value })}
      />
      <SelectField
        label="Reason"
        options={refundReasons.map(codeInWords)}
        value={draft.reason}
        error={problems.reason}
        onChange={(event) => onChange({ ...draft, reason: event.target.value })}
      />
      <TextField
        label="Note for the history"
        optional
        autoComplete="off"
        value={draft.note}
        error={problems.note}
        onChange={(event) => onChange({ ...draft, note: event.target.value })}
      />
    </>
  )
}

function approvalRule(alone: number, currency: string): string {
  return alone === 0
    ? 'A refund needs the approval of another administrator.'
    : `More than ${formatMoney(alone, currency)} needs the approval of another administrator.`
}
