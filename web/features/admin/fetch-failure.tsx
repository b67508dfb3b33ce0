import { focusPageHeading } from '../../lib/focus-heading.ts'
import { errorText, isApiError } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import './fetch-failure.css'

interface FetchFailureProps {
  /** The name of the data: `users`, `payments`, … */
  readonly what: string
  readonly error: unknown
  readonly retrying: boolean
  readonly onRetry: () => void
  /** Leaves out the server's sentence, which another panel of the page shows. */
  readonly isBrief?: boolean
}

/** Replaces the panel whose data could not be loaded. The rest of the page stays usable. */
export function FetchFailure({ what, error, retrying, onRetry, isBrief }: FetchFailureProps) {
  const reason = isBrief ? '' : errorText(error, '')
  const status = isApiError(error) ? error.status : 'unknown'
  return (
    <div className="fetch-failure" role="alert">
      <div>
        <p>Failed to fetch data. Please try refreshing the page.</p>
        <p className="muted">
          Failed to fetch {what}: {status}
        </p>
        {reason && <p className="muted">{reason}</p>}
      </div>
      <Button
        look="line"
        busy={retrying}
        onClick={() => {
          focusPageHeading()
          onRetry()
        }}
      >
        Retry
      </Button>
    </div>
  )
}
