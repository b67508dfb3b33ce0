import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import { toPrepare } from '#contracts/brand/to-prepare'
import { businessHoursText, onboardingEndText, onboardingTime } from '#contracts/onboarding-text'
import { formatLongDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { Standing } from './standing.ts'

/** Payment, onboarding and the account, with the mark for now at the step that is next. */
export function NextSteps({ standing }: { standing: Standing }) {
  const payment = paymentStep(standing)
  return (
    <section className="next-steps" aria-labelledby="next-steps">
      <h2 id="next-steps">What happens next</h2>
      <ol>
        <li>
          <Mark kind={payment.isDone ? 'paid' : 'now'} />
          <h3>{payment.title}</h3>
          <p>{payment.text}</p>
        </li>
        <li>
          <Mark kind={payment.isDone ? 'now' : 'change'} />
          <h3>Onboarding</h3>
          <Onboarding standing={standing} />
        </li>
        <li>
          <Mark kind="change" />
          <h3>Your account dashboard</h3>
          <p>
            Subscription management, billing history and payment-method updates are in your{' '}
            <Link to="/purchases">account dashboard</Link>.
          </p>
        </li>
      </ol>
      <p className="next-steps-help">
        Questions? Write to customer service at{' '}
        <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
      </p>
      <Link className={buttonClass({ size: 'md' })} to="/">
        Return to Home
      </Link>
    </section>
  )
}

function Onboarding({ standing }: { standing: Standing }) {
  const endsAt = standing.kind === 'activated' ? standing.subscription.onboarding_ends_at : null
  return (
    <>
      {endsAt === null ? (
        <p>
          It takes up to {onboardingTime} from the start of your plan ({businessHoursText}). Then
          you have full access.
        </p>
      ) : (
        <p>
          It ends on <b>{onboardingEndText(endsAt)}</b> at the latest: {onboardingTime} after the
          start of your plan ({businessHoursText}). Then you have full access.
        </p>
      )}
      <p>Please have this ready:</p>
      <ul>
        {toPrepare.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </>
  )
}

interface PaymentStep {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
}

function paymentStep(standing: Standing): PaymentStep {
  const next = (text: string) => ({ title: 'Payment', text, isDone: false })
  switch (standing.kind) {
    case 'activated':
      return activatedStep(standing)
    case 'processing':
      return standing.isPaid
        ? { title: 'Paid', text: 'Your payment went through the hosted checkout.', isDone: true }
        : next('The provider is confirming your payment.')
    case 'none':
    case 'unpaid':
      return next('You pay for a plan in the hosted checkout.')
    case 'inactive':
      return next('Your account dashboard says whether a payment is due.')
    case 'visitor':
    case 'not-yours':
    case 'unknown':
      return next('You see your payments in your account dashboard.')
    case 'loading':
      return next('Loading details...')
  }
}

function activatedStep({
  paid,
  subscription,
}: Extract<Standing, { kind: 'activated' }>): PaymentStep {
  switch (paid.kind) {
    case 'paid': {
      const { amount_total, currency, created_at } = paid.payment
      const text = `Your payment of ${formatMoney(amount_total, currency)} went through on ${formatLongDay(created_at)}.`
      return { title: 'Paid', text, isDone: true }
    }
    case 'free':
      return { title: 'Payment', text: 'There was nothing to pay.', isDone: true }
    case 'trial': {
      const end = formatLongDay(subscription.current_period_end)
      return { title: 'Trial', text: `Your first payment follows on ${end}.`, isDone: true }
    }
    case 'pending':
      return { title: 'Payment', text: 'The provider is confirming your payment.', isDone: false }
  }
}
