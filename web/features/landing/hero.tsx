import { Link } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import { buttonClass } from '../../ui/button.tsx'
import { ArrowRightIcon } from '../../ui/icons.tsx'
import { RailSection } from '../../ui/rail-section.tsx'
import { ReceivablesBoard } from './receivables-board.tsx'
import './hero.css'

const { headline, subtitles, price } = siteContent.hero

export function Hero() {
  return (
    <>
      <RailSection className="hero" stop={{ mark: 'sent', day: 0, text: 'Invoice sent' }}>
        <h1>
          {headline.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </h1>
        <div className="hero-lead">
          <p>{subtitles[0]}</p>
          <div className="hero-start">
            <Link className={buttonClass({ look: 'go', size: 'lg' })} to="#pricing">
              Get Started <ArrowRightIcon />
            </Link>
            <span className="label">{price}</span>
          </div>
        </div>
      </RailSection>
      <RailSection className="hero-board">
        <ReceivablesBoard />
      </RailSection>
    </>
  )
}
