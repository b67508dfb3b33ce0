import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { mailto } from '../../../lib/mailto.ts'
import { Description, Descriptions } from '../../../ui/descriptions.tsx'
import { timeZoneName } from '../acts/client-fields.ts'

type Client = Omit<InvoiceResponse['client'], 'credits' | 'openInvoices' | 'owes'>

/** How to reach a client. An erased client has nothing. */
export function Contact({ client }: { client: Client }) {
  const { email, phone, state, timeZone, note, mayText, isErased } = client
  if (isErased) return <p className="muted">Erased. Its invoices and sums stay.</p>
  return (
    <Descriptions>
      <Description term="E-mail">
        {email === null ? 'None' : <a href={mailto(email)}>{email}</a>}
      </Description>
      <Description term="Phone">
        {phone === null ? 'None' : <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
      </Description>
      <Description term="State">{state}</Description>
      <Description term="Zone">{timeZone === null ? null : timeZoneName(timeZone)}</Description>
      <Description term="Texts">{mayText ? 'Consent recorded' : 'No consent recorded'}</Description>
      <Description term="Note">
        {note === null ? null : (
          <span dir="auto" className="rcv-note">
            {note}
          </span>
        )}
      </Description>
    </Descriptions>
  )
}
