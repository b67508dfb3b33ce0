import './chip.css'

/** A status family; the words say the status itself, so that colour is never the only sign. */
export type ChipTone = 'active' | 'pending' | 'failed' | 'open' | 'ended'

export function Chip({ tone, children }: { tone: ChipTone; children: string }) {
  return <span className={`chip chip-${tone}`}>{children}</span>
}
