import type { ReactNode } from 'react'
import { brand as product } from '#contracts/brand/brand'
import { DueLineDrawing } from './due-line-drawing.tsx'
import { countText, listText, longDay, shortDay } from './portal-words.ts'
import { money, type PortalInvoice, type PortalView, type Reach } from './portal-view.ts'

/** What a client owes a merchant, and how it is reached. Works without JavaScript. */
export function PortalPage({ view }: { readonly view: PortalView }) {
  const { merchant, invoices, payments, token } = view
  return (
    <Frame merchant={merchant}>
      <main className="pay-main" data-opened={`/pay/${token}/opened`}>
        <div className="pay-column">
          <Owed view={view} />
          {invoices.length > 0 && (
            <section className="panel" aria-labelledby="invoices">
              <header>
                <h2 id="invoices">Open invoices</h2>
              </header>
              <ul className="pay-invoices">
                {invoices.map((invoice) => (
                  <Invoice key={invoice.receivableId} invoice={invoice} />
                ))}
              </ul>
              <Totals view={view} />
            </section>
          )}
          <section className="panel" aria-labelledby="paid">
            <header>
              <h2 id="paid">Paid</h2>
            </header>
            {payments.length === 0 ? (
              <p className="pay-none">No payment in the last 12 months.</p>
            ) : (
              <ul className="pay-paid">
                {payments.map((payment, index) => (
                  // Two payments of one day can be equal; their order does not change.
                  // oxlint-disable-next-line react/no-array-index-key
                  <li key={index}>
                    <i className="mark-paid" aria-hidden="true" />
                    <div>
                      {longDay(payment.day)}
                      <small dir="auto">
                        {payment.number}, {payment.text.toLowerCase()}
                      </small>
                    </div>
                    <span className="pay-amount">{money(payment.amount, payment.currency)}</span>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
        <div className="pay-column">
          <ReachPanel view={view} />
          <section className="panel" aria-labelledby="questions">
            <header>
              <h2 id="questions">Questions?</h2>
            </header>
            <p className="pay-box">
              <span dir="auto">{merchant.name}</span> answers
              {merchant.phone !== null && (
                <>
                  {' '}
                  at{' '}
                  <a href={`tel:${merchant.phone.replaceAll(/[^\d+]/g, '')}`}>{merchant.phone}</a>
                </>
              )}
              {merchant.phone !== null && merchant.email !== null && ' and'}
              {merchant.email !== null && (
                <>
                  {' '}
                  at <a href={`mailto:${merchant.email}`}>{merchant.email}</a>
                </>
              )}
              .
            </p>
          </section>
        </div>
      </main>
    </Frame>
  )
}

/** The head and the foot of every page of a merchant's portal. */
export function Frame({
  merchant,
  children,
}: {
  readonly merchant: PortalView['merchant']
  readonly children: ReactNode
}) {
  const { name, logo, phone, email, address } = merchant
  return (
    <>
      <header className="pay-head">
        <div>
          <span className="pay-name" dir="auto">
            {logo !== null && <img src={logo.url} width={logo.width} height={logo.height} alt="" />}
            {name}
          </span>
          {phone !== null && <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>}
        </div>
      </header>
      {children}
      <footer className="pay-foot">
        <div>
          <p dir="auto">
            {[name, ...address].join(', ')}.{' '}
            {email !== null && <a href={`mailto:${email}`}>{email}</a>}
          </p>
          <p>Anyone with this link sees this page. Pages and reminders by {product.name}.</p>
        </div>
      </footer>
    </>
  )
}

function Owed({ view }: { readonly view: PortalView }) {
  const { merchant, clientName, today, owed, invoices } = view
  return (
    <section className="pay-owed" aria-labelledby="owed">
      <p className="pay-label" dir="auto">
        {clientName}, open on {longDay(today)}
      </p>
      <h1 id="owed" className="sr-only" dir="auto">
        What you owe {merchant.name}
      </h1>
      {owed.length === 0 ? (
        <div className="pay-nothing">
          <i className="mark-done" aria-hidden="true" />
          <p className="pay-figure">Nothing open</p>
        </div>
      ) : (
        owed.map(({ currency, open }) => (
          <p key={currency} className="pay-figure">
            {money(open, currency)}
          </p>
        ))
      )}
      <p className="pay-sentence">{sentenceOf(view)}</p>
      {invoices.length > 0 && <DueLineDrawing invoices={invoices} today={today} />}
    </section>
  )
}

function sentenceOf({ owed, invoices, merchant }: PortalView): ReactNode {
  if (owed.length === 0) return `You owe ${merchant.name} nothing.`
  const late = owed.filter(({ overdue }) => overdue > 0)
  const next = invoices.filter(({ daysOverdue }) => daysOverdue <= 0)
  const [first] = next
  const oldest = late
    .map(({ oldestOverdue }) => oldestOverdue)
    .filter((day) => day !== null)
    .sort()[0]
  const due =
    first === undefined
      ? null
      : next.every(({ dueDate }) => dueDate === first.dueDate)
        ? `${listText(sums(next))} ${next.length === 1 || sums(next).length === 1 ? 'is' : 'are'} due on ${shortDay(first.dueDate)}.`
        : `${listText(sums(next))} ${sums(next).length === 1 ? 'is' : 'are'} due from ${shortDay(first.dueDate)} on.`
  if (late.length === 0) return due
  const overdue = late.map((each) => money(each.overdue, each.currency))
  return (
    <>
      <b>
        {listText(overdue)} {overdue.length === 1 ? 'is' : 'are'} overdue
      </b>
      , the oldest part since {oldest === undefined ? '' : shortDay(oldest)}.
      {due !== null && ` ${due}`}
    </>
  )
}

/** The sums of invoices by currency, in words. */
function sums(invoices: readonly PortalInvoice[]): readonly string[] {
  const byCurrency = new Map<string, number>()
  for (const { currency, open } of invoices)
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + open)
  return [...byCurrency].map(([currency, open]) => money(open, currency))
}

function Invoice({ invoice }: { readonly invoice: PortalInvoice }) {
  const { number, reference, currency, amount, open, dueDate, daysOverdue, url } = invoice
  const paid = amount - open
  return (
    <li>
      <div>
        <b dir="auto">{number}</b>
        <p>
          {daysOverdue > 0 ? (
            <>
              <span className="pay-late">{countText(daysOverdue, 'day')} overdue</span>, due{' '}
              {shortDay(dueDate)}
            </>
          ) : (
            `Due ${longDay(dueDate)}`
          )}
          {paid > 0 && (
            <>
              <br />
              {money(paid, currency)} of {money(amount, currency)} paid or credited
            </>
          )}
          {reference !== null && (
            <>
              <br />
              <span dir="auto">{reference}</span>
            </>
          )}
        </p>
        {url !== null && (
          <p className="pay-link">
            <a href={url} rel="noopener noreferrer">
              Invoice at {new URL(url).host}
            </a>
          </p>
        )}
      </div>
      <span className="pay-amount">{money(open, currency)}</span>
    </li>
  )
}

function Totals({ view: { owed, invoices } }: { readonly view: PortalView }) {
  return (
    <p className="pay-total">
      <span>{countText(invoices.length, 'invoice')}</span>
      <b>{listText(owed.map(({ open, currency }) => money(open, currency)))}</b>
    </p>
  )
}

const channelNames = { mail: 'E-mail', text: 'Text' } as const

function ReachPanel({ view: { reach, token, merchant } }: { readonly view: PortalView }) {
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
              <form method="post" action={`/pay/${token}/reach`}>
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
