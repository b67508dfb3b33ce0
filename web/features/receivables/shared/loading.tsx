import { Skeleton } from '../../../ui/skeleton.tsx'
import './loading.css'

/** Rows in the height of the loaded ones. `what` is read by screen readers only. */
export function LoadingRows({ what, rows = 6 }: { what: string; rows?: number }) {
  return (
    <div className="rcv-loading">
      <p className="sr-only" role="status">
        Loading {what}...
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height="32px" />
      ))}
    </div>
  )
}
