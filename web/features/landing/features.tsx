import { useState } from 'react'
import { siteContent } from '#contracts/brand/site-content'
import { Button } from '../../ui/button.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { featureDrawings } from './feature-drawings.tsx'
import './features.css'

const { heading, cards } = siteContent.features

/**
 * Six cards, highlighted one after another. The line above a card fills in 4 s; the end of this
 * animation highlights the next card. The style sheet pauses the animation under the pointer, under
 * the focus, by the button, and for users who prefer reduced motion.
 */
export function Features() {
  const [highlighted, setHighlighted] = useState(0)
  const [paused, setPaused] = useState(false)
  return (
    <>
      <div className="features-head">
        <h2>{heading}</h2>
        <Button
          look="line"
          className="features-pause"
          aria-label={paused ? 'Resume the highlight' : 'Pause the highlight'}
          onClick={() => setPaused(!paused)}
        >
          {paused ? <PlayIcon /> : <PauseIcon />}
        </Button>
      </div>
      <div className={`features ${paused ? 'features-paused' : ''}`}>
        {cards.map(({ title, text, drawing }, index) => (
          <article
            key={title}
            className={index === highlighted ? 'features-highlighted' : undefined}
            onAnimationEnd={() => setHighlighted((index + 1) % cards.length)}
          >
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
