import type { ClientResponse } from '#contracts/receivables/clients'
import { Panel } from '../../../ui/panel.tsx'
import { Contact } from '../shared/contact.tsx'
import { fullDay } from '../shared/days.ts'

/** How to reach the client, its consent and the notes. */
export function ContactPanel({ page: { client, textConsent } }: { page: ClientResponse }) {
  return (
    <Panel title="Contact">
      <Contact client={client} />
      {textConsent !== null && (
        <p className="contact-consent" dir="auto">
          Consent to texts of {fullDay(textConsent.date)}: {textConsent.source}
        </p>
      )}
    </Panel>
  )
}
