import { Fragment, type ReactNode } from 'react'
import { Mark, type MarkKind } from './mark.tsx'
import './rail-section.css'

interface RailSectionProps {
  readonly id?: string
  /** The mark beside this section's heading: the invoice's day and event. */
  readonly stop?: { readonly mark: MarkKind; readonly day: number; readonly text: string }
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A section of the landing page: the line with a mark at the left, the content at the right. A
 * section with an id takes the focus when a link leads to it.
 */
export function RailSection({ id, stop, className = '', children }: RailSectionProps) {
  return (
    <section id={id} tabIndex={id === undefined ? undefined : -1} className={`rail ${className}`}>
      <div className="rail-grid">
        {stop ? (
          <div className={`rail-stop rail-stop-${stop.mark}`}>
            <Mark kind={stop.mark} size="lg" />
            <p>
              <b>Day {stop.day}</b>{' '}
              <span>
                {/* Breaks only between the words: not inside `e-mail`. */}
                {stop.text.split(' ').map((word) => (
                  <Fragment key={word}>
                    <span className="nowrap">{word}</span>{' '}
                  </Fragment>
                ))}
              </span>
            </p>
          </div>
        ) : (
          <div />
        )}
        <div className="rail-content">{children}</div>
      </div>
    </section>
  )
}
