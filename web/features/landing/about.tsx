import { siteContent } from '#contracts/brand/site-content'
import { ClaimScale } from './claim-scale.tsx'
import './about.css'

const { text, highlights } = siteContent.about

export function About() {
  return (
    <div className="about">
      <h2>About Us</h2>
      <p className="about-text">{text}</p>
      <ul>
        {highlights.map(({ scale, before, figure, after, text: claim }) => (
          <li key={claim}>
            <p className="about-figure num">
              {before !== undefined && <small>{before} </small>}
              <strong>{figure}</strong>
              {after !== undefined && <small> {after}</small>}
            </p>
            <ClaimScale scale={scale} />
            <p>{claim}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
