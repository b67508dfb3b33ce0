import type { ReactNode } from 'react'
import type { FeatureDrawing } from '#contracts/brand/site-content-type'
import { Mark, type MarkKind } from '../../ui/mark.tsx'
import './feature-drawings.css'

/** The first steps of the schedule that every merchant begins with, by day from the due date. */
const schedule: readonly { label: string; mark: MarkKind; days: readonly number[] }[] = [
  { label: 'E-mail', mark: 'email', days: [-3, 0, 7] },
  { label: 'Text', mark: 'text', days: [3] },
  { label: 'Paid', mark: 'paid', days: [9] },
]

/** Of the 15 days that are drawn. */
const firstDay = -4

function Schedule() {
  return (
    <div className="drawn-schedule">
      {schedule.map(({ label, mark, days }) => (
        <div key={label}>
          <span className="label">{label}</span>
          <span className="drawn-lane">
            {Array.from({ length: 15 }, (_, day) => (
              <i key={day}>{days.includes(firstDay + day) && <Mark kind={mark} />}</i>
            ))}
          </span>
        </div>
      ))}
    </div>
  )
}

const Template = () => (
  <p className="drawn-template">
    Hello <mark>first name</mark>, invoice <mark>number</mark> for <mark>amount</mark> was due on{' '}
    <mark>date</mark>. You can pay it here.
  </p>
)

const Brands = () => (
  <div className="drawn-brands">
    {['Birchwood Dental', 'Alder & Pine Law', 'Kestrel Build Co.'].map((name) => (
      <div key={name}>
        <b>{name}</b>
        <i />
        <i />
      </div>
    ))}
  </div>
)

const Portal = () => (
  <div className="drawn-portal">
    <span>
      <em className="label">Open</em>
      <b className="num">$240.00</b>
    </span>
    <span>
      <em className="label">Overdue</em>
      <b className="num">$115.00</b>
    </span>
    <u>Pay $240.00</u>
  </div>
)

const Bars = () => (
  <svg className="drawn-bars" viewBox="0 0 316 120" preserveAspectRatio="none">
    {[34, 48, 41, 62, 58, 76, 70, 92].map((height, index, all) => (
      <rect
        key={index}
        x={index * 40.6}
        y={119 - height * 1.19}
        width="31.8"
        height={height * 1.19}
        fill={index === all.length - 1 ? 'var(--data-1)' : 'var(--data-3)'}
      />
    ))}
    <path d="M0 119.2h316" stroke="var(--ink)" strokeWidth="1.5" />
  </svg>
)

const Routing = () => (
  <div className="drawn-routing">
    <span>Customer</span>
    <i />
    <span>Your gateway</span>
    <i />
    <span>Your account</span>
  </div>
)

export const featureDrawings: Readonly<Record<FeatureDrawing, ReactNode>> = {
  schedule: <Schedule />,
  template: <Template />,
  brands: <Brands />,
  portal: <Portal />,
  bars: <Bars />,
  routing: <Routing />,
}
