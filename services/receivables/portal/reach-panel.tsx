import { MerchantContact } from './merchant-contact.tsx'
import { formAddress } from './portal-said.ts'
import type { PortalView, Reach } from './portal-view.ts'

const channelNames = { mail: 'E-mail', text: 'Text' } as const

/** To which addresses messages go, with a switch for each. */
export function ReachPanel({ view: { reach, token, merchant } }: { readonly view: PortalView }) {
  if (reach.length === 0) return null
  return (
    <section className="panel" aria-labelledby="reach">
      <header>
        <h2 id="reach">How we reach you</h2>
      </header>
      <ul className="pay-reach">
        {reach.map((each) => (
          <li key={each.channel}>
            <div>
              {channelNames[each.channel]}
              <small dir="auto">{each.address}</small>
              <small>{reachSentence(each, merchant.name)}</small>
            </div>
            {(each.state === 'on' || each.state === 'stopped') && (
              <form method="post" action={formAddress(token, 'reach')}>
                <input type="hidden" name="channel" value={each.channel} />
                <button
                  className="pay-switch"
                  role="switch"
                  aria-checked={each.state === 'on'}
                  aria-label={`${channelNames[each.channel]} reminders`}
                  type="submit"
                  name="want"
                  value={each.state === 'on' ? 'stop' : 'resume'}
                >
                  <i aria-hidden="true" />
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <p className="pay-box">
        Another address or number? Ask <span dir="auto">{merchant.name}</span>
        <MerchantContact merchant={merchant} />. This page does not change them, because anyone with
        its link could.
      </p>
    </section>
  )
}

function reachSentence({ channel, state }: Reach, merchant: string): string {
  const what = channel === 'mail' ? 'e-mails' : 'texts'
  switch (state) {
    case 'on':
      return `${merchant} may send reminders here.`
    case 'stopped':
      return `You stopped the ${what} of ${merchant}. Switch them on to get them again.`
    case 'stopped-by-text':
      return 'Stopped by the answer STOP from this phone. Answer START from it to get texts again.'
    case 'no-consent':
      return `You have not agreed to texts, so ${merchant} sends none.`
  }
}
