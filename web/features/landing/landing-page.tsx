import { useState, type ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import { readStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { RailSection } from '../../ui/rail-section.tsx'
import { Benefits } from './benefits.tsx'
import { Faqs } from './faqs.tsx'
import { Features } from './features.tsx'
import { Hero } from './hero.tsx'
import './landing-page.css'

/**
 * The page follows one invoice from sent to paid. The route passes `pricing`, which is another
 * feature.
 */
export function LandingPage({ pricing }: { pricing: ReactNode }) {
  usePageTitle(siteContent.pages['/'].title)
  // Only the initial value redirects: a purchase that continues after its login must not be
  // interrupted.
  const [isKnown] = useState(() => readStored('userEmail') !== null)
  if (isKnown) return <Navigate to="/purchases" replace />

  return (
    <div className="landing">
      <div className="needle" aria-hidden="true">
        <span />
      </div>
      <Hero />
      <RailSection stop={{ mark: 'email', day: 3, text: 'E-mail reminder' }}>
        <Benefits />
      </RailSection>
      <RailSection id="features" stop={{ mark: 'text', day: 7, text: 'Text reminder' }}>
        <Features />
      </RailSection>
      <RailSection id="pricing" stop={{ mark: 'opened', day: 9, text: 'Invoice opened' }}>
        {pricing}
      </RailSection>
      <RailSection id="faqs" className="rail-last" stop={{ mark: 'paid', day: 14, text: 'Paid' }}>
        <Faqs />
      </RailSection>
    </div>
  )
}
