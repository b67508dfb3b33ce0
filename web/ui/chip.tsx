import './chip.css'

/** A status family. The text names the status, so that color is not the only sign. */
export type ChipTone = 'active' | 'pending' | 'failed' | 'open' | 'ended'

export function Chip({ tone, children }: { tone: ChipTone; children: string }) {
  return <span className={`chip chip-${tone}`}>{children}</span>
}
