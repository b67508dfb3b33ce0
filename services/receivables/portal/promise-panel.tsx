import { addDays } from '#services/finance/calendar'
import type { PromiseDays, PromiseMade } from './promise-offer.ts'
import { formAddress, type RefusedForm } from './portal-said.ts'
import type { PortalInvoice } from './portal-invoice.ts'
import { sums, type PortalView } from './portal-view.ts'
import { countText, listText, shortDay, weekdayText } from './portal-words.ts'

interface Props {
  readonly view: PortalView
  readonly refused: RefusedForm | null
}

/** The promises of the client, and the form for what is not promised. */
export function PromisePanels({ view, refused }: Props) {
  const { offer, promises } = view
  return (
    <>
      {promises.map((made) => (
        <PromiseMadePanel key={made.by} made={made} view={view} refused={refused} />
      ))}
      {offer !== null && (
        <section className="panel" aria-labelledby="promise">
          <header>
            <h2 id="promise">Not today?</h2>
          </header>
          <div className="pay-form">
            <p>
              {brokenSentence(view)}
              Say when you will pay{' '}
              {offer.about === 'overdue' ? 'what is overdue' : listText(sums(offer.invoices))}, by{' '}
              {shortDay(offer.days.last)}. Reminders pause until the day after.
              {hasMore(view) &&
                ` The promise is about your ${countText(offer.invoices.length, 'oldest invoice')}.`}
            </p>
            <PromiseForm
              token={view.token}
              invoices={offer.invoices}
              days={offer.days}
              refused={isAbout(refused, offer.invoices) ? refused : null}
            />
          </div>
        </section>
      )}
    </>
  )
}

function PromiseMadePanel({ made, view, refused }: Props & { readonly made: PromiseMade }) {
  const { by, invoices, days } = made
  const others = view.invoices.length - invoices.length
  const about =
    others === 0 ? '' : ` about ${invoices.length === 1 ? 'this invoice' : 'these invoices'}`
  const own = isAbout(refused, invoices) ? refused : null
  return (
    <section className="panel" aria-label={`Promise for ${shortDay(by)}`}>
      <div className="pay-say">
        <h2>
          <i className="mark-agreed" aria-hidden="true" />
          You pay {listText(sums(invoices))} by {shortDay(by)}
        </h2>
        <p>
          <span dir="auto">{view.merchant.name}</span> knows. No reminder{about} comes before{' '}
          {shortDay(addDays(by, 1))}. The link stays the same.
        </p>
        {others > 0 && <p dir="auto">{listText(invoices.map(({ number }) => number))}</p>}
      </div>
      <div className="pay-band">
        {days !== null && (
          <details open={own !== null}>
            <summary>Change the date</summary>
            <PromiseForm token={view.token} invoices={invoices} days={days} refused={own} />
          </details>
        )}
        <form method="post" action={formAddress(view.token, 'promise')}>
          <Invoices invoices={invoices} />
          <button className="pay-second" type="submit" name="want" value="withdraw">
            Withdraw the promise
          </button>
        </form>
      </div>
    </section>
  )
}

/**
 * Radio buttons and a date: without JavaScript, the style sheet shows the chosen date in the button
 * and the field of the other date.
 */
function PromiseForm({
  token,
  invoices,
  days,
  refused,
}: {
  readonly token: string
  readonly invoices: readonly PortalInvoice[]
  readonly days: PromiseDays
  readonly refused: RefusedForm | null
}) {
  const { proposals, first, last } = days
  const chosen = refused?.form['by'] ?? proposals.at(-1) ?? 'other'
  return (
    <form className="pay-promise" method="post" action={formAddress(token, 'promise')}>
      <Invoices invoices={invoices} />
      <fieldset className="pay-dates">
        <legend className="sr-only">Pay by</legend>
        {proposals.map((day) => (
          <label key={day} className="pay-date">
            <input type="radio" name="by" value={day} defaultChecked={chosen === day} />
            <b>{shortDay(day)}</b>
            <span>{weekdayText(day)}</span>
          </label>
        ))}
        <label className="pay-date pay-date-other">
          <input
            type="radio"
            name="by"
            value="other"
            defaultChecked={!proposals.some((day) => day === chosen)}
          />
          <b>Other</b>
          <span>date</span>
        </label>
      </fieldset>
      <label className="pay-field pay-other">
        <span>Date</span>
        <input
          type="date"
          name="other"
          min={first}
          max={last}
          defaultValue={refused?.form['other'] ?? ''}
        />
      </label>
      <button className="pay-second" type="submit" name="want" value="promise">
        Promise {listText(sums(invoices))}
        {proposals.map((day) => (
          <span key={day} className="pay-chosen">
            {' '}
            by {shortDay(day)}
          </span>
        ))}
      </button>
    </form>
  )
}

/** What the client saw is what it promises. */
function Invoices({ invoices }: { readonly invoices: readonly PortalInvoice[] }) {
  return (
    <input
      type="hidden"
      name="invoices"
      value={invoices.map(({ receivableId }) => receivableId).join(' ')}
    />
  )
}

function brokenSentence({ offer, today }: PortalView): string {
  const latest = (offer?.invoices ?? [])
    .flatMap(({ promisedBy }) => (promisedBy !== null && promisedBy < today ? [promisedBy] : []))
    .toSorted()
    .at(-1)
  return latest === undefined ? '' : `The day that you promised, ${shortDay(latest)}, has passed. `
}

function hasMore({ offer, invoices }: PortalView): boolean {
  return (
    offer?.about === 'overdue' &&
    invoices.some(({ mayAct, daysOverdue }) => !mayAct && daysOverdue > 0)
  )
}

function isAbout(refused: RefusedForm | null, invoices: readonly PortalInvoice[]): boolean {
  const ids = refused?.form['invoices']?.split(' ') ?? []
  return invoices.some(({ receivableId }) => ids.includes(receivableId))
}
