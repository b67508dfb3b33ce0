import { focusPanelHeading } from '../../../lib/focus-heading.ts'
import { Button } from '../../../ui/button.tsx'

interface SectionFailureProps {
  /** Within a sentence: 'subscription data'. */
  readonly what: string
  readonly retrying: boolean
  readonly onRetry: () => void
}

/** In the place of a part of a user's expanded row that could not be loaded. */
export function SectionFailure({ what, retrying, onRetry }: SectionFailureProps) {
  return (
    <div className="section-failure" role="alert">
      <p>Failed to load {what}</p>
      <Button
        look="line"
        size="sm"
        busy={retrying}
        onClick={(event) => {
          focusPanelHeading(event.currentTarget)
          onRetry()
        }}
      >
        Retry
      </Button>
    </div>
  )
}
