import { LandingPage } from '../features/landing/landing-page.tsx'
import { Pricing } from '../features/pricing/pricing.tsx'

/** Combines two features: a feature does not import another feature. */
export function LandingRoute() {
  return <LandingPage pricing={<Pricing heading="h2" sheetHeading="h3" />} />
}
