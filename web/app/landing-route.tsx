import { LandingPage } from '../features/landing/landing-page.tsx'
import { Pricing } from '../features/pricing/pricing.tsx'

/** Where two features meet: neither knows the other. */
export function LandingRoute() {
  return <LandingPage pricing={<Pricing heading="h2" sheetHeading="h3" />} />
}
