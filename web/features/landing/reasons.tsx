import { useState } from 'react'
import { siteContent } from '#contracts/brand/site-content'
import { reasonDrawings } from './reason-drawings.tsx'
import { RotationButton } from './rotation/rotation-button.tsx'
import { RotationLine } from './rotation/rotation-line.tsx'
import { useRotation } from './rotation/use-rotation.ts'
import './reasons.css'

const { reasons } = siteContent
const [firstReason] = reasons

/**
 * Six panels that open one after another, each with its illustration. A click on a panel ends the
 * rotation. If all panels are closed, the first illustration is shown.
 */
export function Reasons() {
  const rotation = useRotation(reasons.length, 6)
  /** The panel that the visitor opened; null: the visitor closed it. */
  const [chosen, setChosen] = useState<{ readonly panel: number | null }>()
  const open = chosen ? chosen.panel : rotation.index
  const shown = reasons[open ?? 0] ?? firstReason

  function choose(panel: number) {
    rotation.stop()
    setChosen({ panel: panel === open ? null : panel })
  }

  return (
    <>
      <div className="reasons-head">
        <h2>Why Choose Us?</h2>
        <RotationButton rotation={rotation} what="the reasons" />
      </div>
      <div className="reasons">
        <div className="reasons-panels" {...rotation.held}>
          {reasons.map(({ title, text }, at) => (
            <div key={title} className={at === open ? 'reason-open' : undefined}>
              {chosen === undefined && <RotationLine rotation={rotation} part={at} />}
              <h3>
                <button
                  type="button"
                  id={`reason-${at + 1}`}
                  aria-expanded={at === open}
                  aria-controls={`reason-text-${at + 1}`}
                  onClick={() => choose(at)}
                >
                  <span aria-hidden="true">{at + 1}</span>
                  {title}
                </button>
              </h3>
              <p id={`reason-text-${at + 1}`}>{text}</p>
            </div>
          ))}
        </div>
        <figure className="reasons-plate illustration-deep">
          {reasonDrawings[shown.drawing]}
          <figcaption>{shown.caption}</figcaption>
        </figure>
      </div>
    </>
  )
}
