import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { Button } from '../../../ui/button.tsx'
import type { ChosenAct } from '../acts/invoice-forms.ts'

type BandAct = Exclude<
  ChosenAct['type'],
  'correct-payment' | 'reverse-payment' | 'take-credit-back' | 'change'
>

/** In the order of use. The last ones take something away. */
const acts: readonly { type: BandAct; label: string; isRisky?: true }[] = [
  { type: 'record-payment', label: 'Record payment' },
  { type: 'reopen', label: 'Reopen' },
  { type: 'resolve-dispute', label: 'End the dispute' },
  { type: 'release', label: 'Release the hold' },
  { type: 'promise', label: 'Promise' },
  { type: 'withdraw-promise', label: 'Withdraw the promise' },
  { type: 'apply-credit', label: 'Use a credit' },
  { type: 'hold', label: 'Hold' },
  { type: 'dispute', label: 'Dispute' },
  { type: 'issue-credit-memo', label: 'Credit memo' },
  { type: 'cancel', label: 'Cancel', isRisky: true },
  { type: 'write-off', label: 'Write off', isRisky: true },
]

interface ActsBandProps {
  readonly invoice: InvoiceResponse
  readonly onAct: (type: BandAct) => void
}

/** The acts that the invoice allows now. */
export function ActsBand({ invoice, onAct }: ActsBandProps) {
  const shown = acts.filter(({ type }) => mayDo(invoice, type))
  if (shown.length === 0) return null
  return (
    <div className="rcv-band" role="group" aria-label={`Acts on ${invoice.number}`}>
      {shown.map(({ type, label, isRisky }, index) => (
        <Button
          key={type}
          look={isRisky ? 'risk' : index === 0 ? 'ink' : 'line'}
          onClick={() => onAct(type)}
        >
          {labelOf(type, label, invoice)}
        </Button>
      ))}
    </div>
  )
}

/** An act again replaces what was agreed. */
function labelOf(type: BandAct, label: string, { agreements }: InvoiceResponse): string {
  if (type === 'promise' && agreements.promisedBy !== null) return 'New promise'
  return type === 'hold' && agreements.hold !== null ? 'Change the hold' : label
}

export function mayDo({ access, acts: allowed }: InvoiceResponse, type: string): boolean {
  return access.mayAct && allowed.some((act) => act.type === type && act.mayDo)
}
