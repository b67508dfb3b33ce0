import { siteContent } from '#contracts/brand/site-content'
import { featureDrawings } from './feature-drawings.tsx'
import { RotationButton } from './rotation/rotation-button.tsx'
import { RotationLine } from './rotation/rotation-line.tsx'
import { useRotation } from './rotation/use-rotation.ts'
import './features.css'

const { heading, cards } = siteContent.features

/** Six cards, highlighted one after another. */
export function Features() {
  const rotation = useRotation(cards.length, 4)
  return (
    <>
      <div className="features-head">
        <h2>{heading}</h2>
        <RotationButton rotation={rotation} what="the highlight" />
      </div>
      <div className="features" {...rotation.held}>
        {cards.map(({ title, text, drawing }, at) => (
          <article
            key={title}
            className={at === rotation.index ? 'features-highlighted' : undefined}
          >
            <RotationLine rotation={rotation} part={at} />
            <div className="feature-drawing" aria-hidden="true">
              {featureDrawings[drawing]}
            </div>
            <h3>{title}</h3>
            <p>{text}</p>
          </article>
        ))}
      </div>
    </>
  )
}
