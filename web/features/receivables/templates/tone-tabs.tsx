import { useRef } from 'react'
import { templateTones } from '#contracts/receivables/templates'
import type { Tone } from './drafts.ts'

export const toneNames: Readonly<Record<Tone, string>> = {
  friendly: 'Friendly',
  firm: 'Firm',
  final: 'Final',
  thanks: 'Thank you',
}

interface ToneTabsProps {
  readonly tone: Tone
  /** Tones with words that are not saved. */
  readonly changed: ReadonlySet<Tone>
  readonly panelId: string
  readonly onChange: (tone: Tone) => void
}

/** The arrow keys move among the tabs, and the tab key leaves them. */
export function ToneTabs({ tone, changed, panelId, onChange }: ToneTabsProps) {
  const list = useRef<HTMLDivElement>(null)

  function move(step: number): void {
    const count = templateTones.length
    const next = templateTones[(templateTones.indexOf(tone) + step + count) % count]
    if (next === undefined) return
    onChange(next)
    list.current?.querySelector<HTMLElement>(`[data-tone=${next}]`)?.focus()
  }

  return (
    <div ref={list} className="tpl-tabs" role="tablist" aria-label="Tone">
      {templateTones.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`${panelId}-${each}`}
          data-tone={each}
          aria-selected={each === tone}
          aria-controls={panelId}
          tabIndex={each === tone ? 0 : -1}
          onClick={() => onChange(each)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') move(1)
            else if (event.key === 'ArrowLeft') move(-1)
            else return
            event.preventDefault()
          }}
        >
          {toneNames[each]}
          {changed.has(each) && <span>not saved</span>}
        </button>
      ))}
    </div>
  )
}
