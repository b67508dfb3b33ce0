import { useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import { readStored } from '../../lib/stored-values.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { RailSection } from '../../ui/rail-section.tsx'
import { About } from './about.tsx'
import { Benefits } from './benefits.tsx'
import { Contact } from './contact.tsx'
import { Faqs } from './faqs.tsx'
import { Features } from './features.tsx'
import { Hero } from './hero.tsx'
import { story } from './invoice-story.ts'
import { Reasons } from './reasons.tsx'
import { TalkToExpert } from './talk-to-expert.tsx'
import './landing-page.css'

interface LandingPageProps {
  /** The route passes what belongs to other features. */
  readonly pricing: ReactNode
  readonly contactForm: ReactNode
}

/** The page follows one invoice from sent to paid. */
export function LandingPage({ pricing, contactForm }: LandingPageProps) {
  usePageTitle(siteContent.pages['/'].title)
  // Only the initial value redirects: a purchase that continues after its login must not be
  // interrupted.
  // A customer who follows a link to a section reads it: only a load of the page redirects.
  const { hash } = useLocation()
  const [isKnown] = useState(() => hash === '' && readStored('userEmail') !== null)
  if (isKnown) return <Navigate to="/purchases" replace />

  return (
    <div className="landing">
      <div className="needle" aria-hidden="true">
        <span />
      </div>
      <div id="hero">
        <Hero />
      </div>
      <RailSection stop={story.email}>
        <Benefits />
      </RailSection>
      <RailSection id="features" stop={story.text}>
        <Features />
      </RailSection>
      <RailSection id="pricing" stop={story.opened}>
        {pricing}
      </RailSection>
      <RailSection id="why-us" className="rail-deep" stop={story.secondEmail}>
        <Reasons />
      </RailSection>
      <RailSection id="about" stop={story.secondText}>
        <About />
      </RailSection>
      <RailSection id="faqs" stop={story.portal}>
        <Faqs />
      </RailSection>
      <RailSection id="contact" className="rail-last" stop={story.paid}>
        <Contact form={contactForm} />
      </RailSection>
      <TalkToExpert />
    </div>
  )
}
