import { Link } from 'react-router-dom'
import { toMajorUnits } from '#contracts/currency'
import { publicPlan } from '#contracts/plans'
import { buttonClass } from '../../ui/button.tsx'
import { ArrowRightIcon } from '../../ui/icons.tsx'
import { RailSection } from '../../ui/rail-section.tsx'
import { ReceivablesBoard } from './receivables-board.tsx'
import './hero.css'

const plan = publicPlan

export function Hero() {
  return (
    <>
      <RailSection className="hero" stop={{ mark: 'sent', day: 0, text: 'Invoice sent' }}>
        <h1>
          Stop Chasing Payments. <span>Get Paid On Time,</span> <span>Every Time</span>
        </h1>
        <div className="hero-lead">
          <p>
            Invoice reminders go out by e-mail and text on the days you set, in your name, until the
            invoice is paid.
          </p>
          <div className="hero-start">
            <Link className={buttonClass({ look: 'go', size: 'lg' })} to="#pricing">
              Get Started <ArrowRightIcon />
            </Link>
            <span className="label">${toMajorUnits(plan.amount, plan.currency)} a month</span>
          </div>
        </div>
      </RailSection>
      <RailSection className="hero-board">
        <ReceivablesBoard />
      </RailSection>
    </>
  )
}
