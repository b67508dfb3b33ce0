import type { ReactNode } from 'react'
import { DueLineDrawing } from './due-line-drawing.tsx'
import { listText, longDay, shortDay } from './portal-words.ts'
import { money, sums, type PortalView } from './portal-view.ts'

/** The figure, one sentence and the line of due dates. */
export function OwedPanel({ view }: { readonly view: PortalView }) {
  const { merchant, clientName, today, owed } = view
  const invoices = view.invoices.filter(({ dispute }) => dispute === null)
  const isAllPaid = view.invoices.length === 0
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
          {isAllPaid && <i className="mark-done" aria-hidden="true" />}
          <p className="pay-figure">{isAllPaid ? 'Nothing open' : 'Nothing to pay now'}</p>
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

function sentenceOf(view: PortalView): ReactNode {
  const disputed = sums(view.invoices.filter(({ dispute }) => dispute !== null))
  return (
    <>
      {payableSentence(view)}
      {disputed.length > 0 &&
        ` ${listText(disputed)} ${disputed.length === 1 ? 'is' : 'are'} disputed and left out.`}
    </>
  )
}

function payableSentence({ owed, invoices: all, merchant }: PortalView): ReactNode {
  if (all.length === 0) return `You owe ${merchant.name} nothing.`
  const invoices = all.filter(({ dispute }) => dispute === null)
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
