import { ContactForm } from '../features/contact/contact-form.tsx'
import { LandingPage } from '../features/landing/landing-page.tsx'
import { Pricing } from '../features/pricing/pricing.tsx'

/** Combines three features: a feature does not import another feature. */
export function LandingRoute() {
  return (
    <LandingPage
      pricing={<Pricing heading="h2" sheetHeading="h3" />}
      contactForm={<ContactForm />}
    />
  )
}
