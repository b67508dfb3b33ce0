import { siteContent } from '#contracts/brand/site-content'
import { PartnerMark } from './partner-marks.tsx'
import './partners.css'

export function Partners() {
  return (
    <div className="partners">
      <p id="partners">In partnership with</p>
      <ul aria-labelledby="partners">
        {siteContent.partners.map((name) => (
          <li key={name}>
            <PartnerMark name={name} />
          </li>
        ))}
      </ul>
    </div>
  )
}
