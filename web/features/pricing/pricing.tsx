import { useEffect, useRef } from 'react'
import { featureLabels } from '#contracts/brand/plan-catalogue'
import { siteContent } from '#contracts/brand/site-content'
import { toMajorUnits } from '#contracts/currency'
import { formatRoundMoney } from '#contracts/format-money'
import { publicPlan } from '#contracts/plans'
import { usePaymentScript } from '../../lib/payment-script.ts'
import { Button } from '../../ui/button.tsx'
import { FeeSplit } from './fee-split.tsx'
import { useSubscribe } from './use-subscribe.ts'
import './pricing.css'

const content = siteContent.pricing
const plan = publicPlan
const price = formatRoundMoney(toMajorUnits(plan.amount, plan.currency), plan.currency)

/** The public plan with price and features. `heading` is its heading level on the page. */
export function Pricing({
  heading: Heading,
  sheetHeading: SheetHeading,
}: {
  heading: 'h1' | 'h2'
  sheetHeading: 'h2' | 'h3'
}) {
  usePaymentScript()
  return (
    <div className="pricing">
      <div>
        <Heading>{content.heading}</Heading>
        <p className="pricing-figure">
          <sup>{price.slice(0, 1)}</sup>
          {price.slice(1)}
          <small> {content.per}</small>
        </p>
        <p className="pricing-terms">{content.terms}</p>
        <SubscribeButton planId={plan.id} />
        <FeeSplit payment={250} feePercent={plan.feeBasisPoints / 100} />
      </div>
      <div className="pricing-sheet">
        <SheetHeading>{content.sheetHeading}</SheetHeading>
        <dl>
          {featureLabels.map(({ key, label }) => (
            <div key={key}>
              <dt>{label}</dt>
              <FeatureValue value={plan.features[key]} />
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

function FeatureValue({ value }: { value: string | boolean }) {
  if (typeof value === 'string') return <dd>{value}</dd>
  return <dd className="pricing-included">{value ? 'Included' : 'Not included'}</dd>
}

function SubscribeButton({ planId }: { planId: string }) {
  const { loadingPlan, subscribe, prepare } = useSubscribe()
  const busy = loadingPlan === planId
  const button = useRef<HTMLButtonElement>(null)
  const wasBusy = useRef(false)

  // A disabled button loses the focus. After a closed login or a toast the button gets the focus
  // back.
  useEffect(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true })
    wasBusy.current = busy
  }, [busy])

  return (
    <Button
      ref={button}
      look="go"
      size="lg"
      busy={busy}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => subscribe(planId)}
    >
      Subscribe Now
    </Button>
  )
}
