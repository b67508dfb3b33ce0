import { lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { siteContent } from '#contracts/brand/site-content'
import { ReceivablesBoard } from './receivables-board.tsx'
import { RotationButton } from './rotation/rotation-button.tsx'
import { RotationLine } from './rotation/rotation-line.tsx'
import type { Rotation } from './rotation/use-rotation.ts'
import './slides.css'

const { scenes } = siteContent.hero

/**
 * The carousel: tabs, and one picture per tab: what a customer of the product sees. The first one
 * is in the first view of the page. The others are loaded one turn before they are shown.
 */
export function Slides({ rotation }: { rotation: Rotation }) {
  const { index, isRunning, held } = rotation
  const tabs = useRef<HTMLDivElement>(null)
  const loaded = useLoaded(index, scenes.length)

  function moveTo(event: KeyboardEvent) {
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    const next = (target + scenes.length) % scenes.length
    rotation.show(next)
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }

  return (
    <section className="slides" aria-roledescription="carousel" aria-label="Dashboard images">
      <div className="slides-pictures" aria-live={isRunning ? 'off' : 'polite'} {...held}>
        {scenes.map(({ label, alt }, at) => (
          <div
            key={label}
            id={`slide-${at + 1}`}
            className={at === index ? 'slide-shown' : undefined}
            role="tabpanel"
            aria-roledescription="slide"
            aria-labelledby={`slide-tab-${at + 1}`}
          >
            {at === 0 ? (
              <ReceivablesBoard label={alt} />
            ) : (
              loaded.has(at) && (
                <Suspense>
                  <LaterSlide at={at} label={alt} />
                </Suspense>
              )
            )}
          </div>
        ))}
      </div>
      <div className="slides-controls">
        <div
          ref={tabs}
          className="slides-tabs"
          role="tablist"
          tabIndex={-1}
          aria-label="Dashboard images"
          onKeyDown={moveTo}
          {...held}
        >
          {scenes.map(({ label }, at) => (
            <button
              key={label}
              id={`slide-tab-${at + 1}`}
              type="button"
              role="tab"
              aria-selected={at === index}
              aria-controls={`slide-${at + 1}`}
              tabIndex={at === index ? 0 : -1}
              onClick={() => rotation.show(at)}
            >
              <RotationLine rotation={rotation} part={at} />
              <span>{label}</span>
            </button>
          ))}
        </div>
        <RotationButton rotation={rotation} what="the pictures and subtitles" />
      </div>
    </section>
  )
}

/** The slides after the first one, which the entry does not contain. */
const LaterSlide = lazy(async () => ({
  default: (await import('./slides/screen-picture.tsx')).ScreenPicture,
}))

/** The slides whose pictures the page needs: those shown so far, and the next one. */
function useLoaded(index: number, count: number): ReadonlySet<number> {
  const [loaded, setLoaded] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    setLoaded((before) => new Set([...before, index, (index + 1) % count]))
  }, [index, count])
  return loaded
}
