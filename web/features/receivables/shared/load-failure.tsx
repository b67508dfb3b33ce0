import { focusPageHeading } from '../../../lib/focus-heading.ts'
import { errorText, isApiError, needsProfile } from '../../../lib/http.ts'
import { Link } from 'react-router-dom'
import { Button, buttonClass } from '../../../ui/button.tsx'
import './load-failure.css'

interface LoadFailureProps {
  /** Within a sentence: 'your invoices'. */
  readonly what: string
  readonly error: unknown
  readonly retrying: boolean
  readonly onRetry: () => void
}

/** Replaces what could not be loaded. The rest of the page stays usable. */
export function LoadFailure({ what, error, retrying, onRetry }: LoadFailureProps) {
  const isMissing = isApiError(error) && error.status === 404
  return (
    <div className="rcv-failure" role="alert">
      <p>
        <b>{isMissing ? 'There is nothing at this address.' : `Loading ${what} failed.`}</b>{' '}
        {errorText(error, 'The server did not answer as it should. Nothing has changed.')}
      </p>
      {needsProfile(error) ? (
        <Link className={buttonClass({ look: 'line' })} to="/profile">
          Complete the profile
        </Link>
      ) : (
        !isMissing && (
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
        )
      )}
    </div>
  )
}
