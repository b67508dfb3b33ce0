import './partner-marks.css'

interface Wordmark {
  /** The lines of the mark in a box of 22 × 22, in `currentColor`. */
  readonly mark: string
  readonly lettering?: 'narrow' | 'light' | 'heavy'
}

/** Invented companies: a gate, a folded sheet, a tally of five, a gable and a check in a ring. */
const wordmarks: Readonly<Record<string, Wordmark>> = {
  Northgate: { mark: 'M1 20h6M4 20V3l14 16V2M15 2h6', lettering: 'heavy' },
  Ledgerfold: { mark: 'M3 3h8v16H3zM11 3l8 4v15l-8-3M6 8h2M6 12h2', lettering: 'narrow' },
  Tallywell: { mark: 'M4 3v16M9 3v16M14 3v16M19 3v16M1 16 21 6' },
  'Harrow Street': { mark: 'M2 20V9l9-7 9 7v11M7 20v-8l4-3 4 3v8', lettering: 'narrow' },
  Clearmark: { mark: 'M19.6 10.5a8.7 8.7 0 1 1-5-7.3M7 10.5l4 4L20.5 3.5', lettering: 'light' },
}

/** The wordmark of a partner. A name without a mark appears as text. */
export function PartnerMark({ name }: { name: string }) {
  const wordmark = wordmarks[name]
  const lettering = wordmark?.lettering ? ` partner-mark-${wordmark.lettering}` : ''
  return (
    <span className={`partner-mark${lettering}`}>
      {wordmark && (
        <svg width="22" height="22" viewBox="0 0 22 22" fill="none" aria-hidden="true">
          <path d={wordmark.mark} stroke="currentColor" strokeWidth="2.2" strokeLinejoin="round" />
        </svg>
      )}
      {name}
    </span>
  )
}
