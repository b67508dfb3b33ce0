import { useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { feeOf, percentOf } from '#contracts/receivables/fee'
import { hostOfGatewayLink } from '#contracts/receivables/gateway-link'
import { useGetBrandQuery } from '../../../api/messages-api.ts'
import { useGetPaymentSettingsQuery } from '../../../api/payments-api.ts'
import { useGetScheduleQuery } from '../../../api/schedule-api.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { accountInWords } from '../payments/account-words.ts'
import { inOrder } from '../schedule/draft.ts'
import { timeInWords } from '../schedule/schedule-words.ts'
import { TurnOnDialog } from '../schedule/turn-dialogs.tsx'
import { money } from '../shared/amounts.ts'
import { countOf } from '../shared/days.ts'
import { weekdaysInWords } from './weekdays-in-words.ts'

interface StepProps {
  readonly mayAct: boolean
}

/** What clients see of the merchant. It can be done at any time. */
export function BrandStep({ mayAct }: StepProps) {
  const { data: brand } = useGetBrandQuery()
  const isDone = brand !== undefined && (brand.color !== null || brand.logo !== null)
  return (
    <Step
      number={2}
      title="Brand"
      descriptions={[
        ['Logo', brand?.logo ? 'Chosen' : 'None'],
        ['Color', brand?.color ?? 'None'],
      ]}
      text="Your logo, color and name, as your clients see them in e-mails and texts."
    >
      {mayAct && (
        <Link className={buttonClass({ look: 'line' })} to="/receivables/brand">
          {isDone ? 'Change the brand' : 'Set up the brand'}
        </Link>
      )}
    </Step>
  )
}

/** How clients pay. One way is enough, and it can be done at any time. */
export function PaymentsStep({ mayAct }: StepProps) {
  const { data: settings } = useGetPaymentSettingsQuery()
  const fee = settings?.feeBasisPoints ?? null
  return (
    <Step
      number={3}
      title="Payments"
      descriptions={
        settings === undefined
          ? []
          : [
              [settings.provider, accountInWords(settings.account, settings.provider).chip],
              [
                'Own link',
                settings.gatewayLink === null ? 'None' : hostOfGatewayLink(settings.gatewayLink),
              ],
              ['In words', settings.instructions === null ? 'None' : 'Written'],
            ]
      }
      text={`Money goes direct to your account.${fee === null ? '' : ` The fee is ${percentOf(fee)} of payments by card on your page: ${money(feeOf(24_000, fee), 'usd')} on ${money(24_000, 'usd')}.`}`}
    >
      {mayAct && (
        <Link className={buttonClass({ look: 'line' })} to="/receivables/payments">
          {settings?.hasWay === true ? 'Change the ways' : 'Choose how'}
        </Link>
      )}
    </Step>
  )
}

/** When clients are reminded. A merchant may keep the schedule that everyone begins with. */
export function ScheduleStep({ mayAct }: StepProps) {
  const { data: saved } = useGetScheduleQuery()
  const steps = saved === undefined ? [] : inOrder(saved.schedule.steps)
  const days = (channel: 'mail' | 'text') =>
    steps
      .filter((step) => step.channel === channel)
      .map(({ offset }) => (offset < 0 ? `${-offset} before` : String(offset)))
      .join(', ')
  return (
    <Step
      number={4}
      title="Schedule"
      descriptions={
        saved === undefined
          ? []
          : [
              ['E-mail', days('mail') || 'None'],
              ['Text', days('text') || 'None'],
              [
                'Sent',
                `${weekdaysInWords(saved.schedule.sendingDays)}, ${timeInWords(saved.schedule.sendingTime)}`,
              ],
            ]
      }
      text={`${saved === undefined ? 'Steps' : countOf(steps.length, 'step')} around the due date. Change days, tones and sending hours.`}
    >
      <Link className={buttonClass({ look: 'line' })} to="/receivables/schedule">
        {mayAct ? 'Read the schedule' : 'See the schedule'}
      </Link>
    </Step>
  )
}

/** The last step, which a person confirms. */
export function TurnOnStep({ mayAct }: StepProps) {
  const { data: saved } = useGetScheduleQuery()
  const [asks, setAsks] = useState(false)
  return (
    <Step
      number={5}
      title="Turn on"
      descriptions={[['Reminders', saved?.isOn === true ? 'On' : 'Off']]}
      text="You see how many messages the first seven days bring. Then you turn reminders on."
    >
      {mayAct && saved?.isOn === false && (
        <Button look="line" onClick={() => setAsks(true)}>
          Turn reminders on
        </Button>
      )}
      {asks && saved !== undefined && <TurnOnDialog saved={saved} onClose={() => setAsks(false)} />}
    </Step>
  )
}

function Step({
  number,
  title,
  text,
  descriptions,
  children,
}: {
  readonly number: number
  readonly title: string
  readonly text: string
  readonly descriptions: readonly (readonly [string, string])[]
  readonly children: ReactNode
}) {
  return (
    <li>
      <span className="checklist-number">{number}</span>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <dl className="checklist-descriptions">
        {descriptions.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </li>
  )
}
