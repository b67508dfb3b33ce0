import { Link } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import { buttonClass } from '../../ui/button.tsx'
import { ArrowRightIcon } from '../../ui/icons.tsx'
import { RailSection } from '../../ui/rail-section.tsx'
import { story } from './invoice-story.ts'
import { Partners } from './partners.tsx'
import { useRotation } from './rotation/use-rotation.ts'
import { Slides } from './slides.tsx'
import { Subtitles } from './subtitles.tsx'
import './hero.css'

const { headline, price, scenes } = siteContent.hero

/** The subtitles and the pictures are one rotation, so that either Pause stops both. */
export function Hero() {
  const rotation = useRotation(scenes.length, 5)
  return (
    <>
      <RailSection className="hero" stop={story.sent}>
        <h1>
          {headline.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </h1>
        <div className="hero-lead">
          <Subtitles rotation={rotation} />
          <div className="hero-start">
            <Link className={buttonClass({ look: 'go', size: 'lg' })} to="#pricing">
              Get Started <ArrowRightIcon />
            </Link>
            <span className="label">{price}</span>
          </div>
        </div>
      </RailSection>
      <RailSection className="hero-board">
        <Slides rotation={rotation} />
        <Partners />
      </RailSection>
    </>
  )
}
