import type { ClientResponse } from '#contracts/receivables/clients'
import { Chip } from '../../../ui/chip.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Contact } from '../shared/contact.tsx'
import { fullDay } from '../shared/days.ts'
import './portal-panel.css'

/** How to reach the client, its consent, what it stopped, and the notes. */
export function ContactPanel({ page: { client, textConsent, stops } }: { page: ClientResponse }) {
  return (
    <Panel title="Contact">
      <Contact client={client} />
      {textConsent !== null && (
        <p className="contact-consent" dir="auto">
          Consent to texts of {fullDay(textConsent.date)}: {textConsent.source}
        </p>
      )}
      {stops.mail !== null && (
        <p className="contact-stop">
          <Chip tone="ended">E-mails stopped</Chip> The client stopped your e-mails. Only the client
          can allow them again, in its portal.
        </p>
      )}
      {stops.text !== null && (
        <p className="contact-stop">
          <Chip tone="ended">Texts stopped</Chip>{' '}
          {stops.text === 'portal'
            ? 'The client stopped your texts. Only the client can allow them again, in its portal.'
            : 'The phone answered STOP. Only START from this phone allows texts again.'}
        </p>
      )}
    </Panel>
  )
}
