import { siteContent } from '#contracts/brand/site-content'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Pricing } from './pricing.tsx'
import './pricing-page.css'

export function PricingPage() {
  usePageTitle(siteContent.pages['/pricing'].title)
  return (
    <div className="pricing-page">
      <Pricing heading="h1" sheetHeading="h2" />
    </div>
  )
}
