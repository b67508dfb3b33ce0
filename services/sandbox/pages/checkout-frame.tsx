import type { ReactNode } from 'react'
import type { CheckoutSession } from '../store/stripe-objects.ts'
import { formatDay, formatMoney, formatTime } from '../billing/format.ts'
import { CardFields, TestCards } from './card-fields.tsx'
import type { FieldErrors, TypedForm } from './card-form.ts'
import { renderPage } from './page.tsx'
import { BackLink } from './parts.tsx'

export interface CheckoutView {
  readonly session: CheckoutSession
  readonly now: number
  readonly today: number
  readonly form: TypedForm
  readonly errors: FieldErrors
  /** Why the last attempt paid nothing. */
  readonly problem: { readonly text: string; readonly isDecline: boolean } | null
  readonly back: { readonly href: string; readonly text: string }
}

interface FrameProps {
  readonly view: CheckoutView
  readonly heading: string
  /** After the amount, such as `a month`. */
  readonly per?: string
  readonly lines: readonly {
    readonly name: ReactNode
    readonly note?: string
    readonly amount: number
  }[]
  readonly totalLabel: string
  /** What follows the lines. */
  readonly outlook?: ReactNode
  readonly consent: string
}

/** The hosted checkout: the order on one side, the card form on the other. */
export function renderCheckoutFrame({ view, heading, ...order }: FrameProps): string {
  const isRefused = view.problem !== null || Object.keys(view.errors).length > 0
  return renderPage({
    title: `${isRefused ? 'Not paid yet: ' : ''}${heading} (sandbox)`,
    kind: 'checkout',
    children: (
      <main className="checkout">
        <Order view={view} heading={heading} {...order} />
        <Payment view={view} consent={order.consent} />
      </main>
    ),
  })
}

function Order({ view, heading, per, lines, totalLabel, outlook }: Omit<FrameProps, 'consent'>) {
  const { session, back } = view
  const money = (amount: number) => formatMoney(amount, session.currency ?? 'usd')
  return (
    <section className="checkout-order">
      <div>
        <BackLink {...back} />
        <h1>{heading}</h1>
        <p className="checkout-price">
          {money(session.amount_total ?? 0)}
          {per !== undefined && (
            <>
              {' '}
              <small>{per}</small>
            </>
          )}
        </p>
        <dl className="checkout-lines">
          {lines.map(({ name, note, amount }, index) => (
            <div key={index}>
              <dt>
                {name}
                {note !== undefined && <small>{note}</small>}
              </dt>
              <dd>{money(amount)}</dd>
            </div>
          ))}
          <div>
            <dt>Subtotal</dt>
            <dd>{money(session.amount_subtotal ?? 0)}</dd>
          </div>
          <div className="checkout-total">
            <dt>{totalLabel}</dt>
            <dd>{money(session.amount_total ?? 0)}</dd>
          </div>
        </dl>
        {outlook}
        <p className="checkout-until">
          This page can be paid until {formatDay(session.expires_at)},{' '}
          {formatTime(session.expires_at)} UTC.
        </p>
      </div>
    </section>
  )
}

function Payment({ view, consent }: Pick<FrameProps, 'view' | 'consent'>) {
  const { session, now, today, form, errors, problem } = view
  return (
    <section className="checkout-payment">
      <div>
        <h2>Pay with card</h2>
        <form className="card-form" method="post" action={`/checkout/${session.id}`} noValidate>
          {problem !== null && (
            <p className="error-box card-wide" role="alert">
              {problem.text}
            </p>
          )}
          <CardFields form={form} errors={errors} isDeclined={problem?.isDecline === true} />
          <button className="button button-go button-lg card-wide" type="submit">
            Pay
          </button>
          <p className="fine-print card-wide">{consent}</p>
        </form>
        <TestCards now={now} today={today} isPayment={session.sandbox.payment !== undefined} />
      </div>
    </section>
  )
}
