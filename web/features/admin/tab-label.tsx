import { formatCount } from '../../lib/money.ts'
import './tab-label.css'

/** A title and, once it is known, the number of rows. */
export function TabLabel({ title, count }: { title: string; count: number | undefined }) {
  return (
    <>
      {title} {count !== undefined && <span className="tab-count num">{formatCount(count)}</span>}
    </>
  )
}
