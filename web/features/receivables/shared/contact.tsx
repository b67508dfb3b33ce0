import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { mailto } from '../../../lib/mailto.ts'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { timeZoneName } from '../acts/client-fields.ts'

type Client = Omit<InvoiceResponse['client'], 'credits' | 'openInvoices' | 'owes'>

/** How to reach a client. An erased client has nothing. */
export function Contact({ client }: { client: Client }) {
  const { email, phone, state, timeZone, note, mayText, isErased } = client
  if (isErased) return <p className="muted">Erased. Its invoices and sums stay.</p>
  return (
    <Facts>
      <Fact term="E-mail">{email === null ? 'None' : <a href={mailto(email)}>{email}</a>}</Fact>
      <Fact term="Phone">
        {phone === null ? 'None' : <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
      </Fact>
      <Fact term="State">{state}</Fact>
      <Fact term="Zone">{timeZone === null ? null : timeZoneName(timeZone)}</Fact>
      <Fact term="Texts">{mayText ? 'Consent recorded' : 'No consent recorded'}</Fact>
      <Fact term="Note">
        {note === null ? null : (
          <span dir="auto" className="rcv-note">
            {note}
          </span>
        )}
      </Fact>
    </Facts>
  )
}
