import type { RawEventResponse } from '#contracts/admin/history'
import { useRef } from 'react'
import { errorText } from '../../../lib/http.ts'
import { Button } from '../../../ui/button.tsx'
import './client-data.css'

interface ClientDataProps {
  readonly state: RawEventResponse['client_data']
  readonly isOpening: boolean
  /** Undefined: the last opening did not fail. */
  readonly error: unknown
  readonly onOpen: () => void
}

/** Says that the event has personal data of a merchant's client, and opens them. */
export function ClientData({ state, isOpening, error, onOpen }: ClientDataProps) {
  const status = useRef<HTMLParagraphElement>(null)
  if (state === 'none') return null
  return (
    <div className="client-data">
      <p role="status" ref={status} tabIndex={-1}>
        {state === 'shown'
          ? 'The data of the client are shown below. This was recorded.'
          : 'The data of the client are hidden. Each opening is recorded.'}
      </p>
      {error !== undefined && (
        <p role="alert">
          {errorText(error, 'The data of the client could not be opened. Please try again.')}
        </p>
      )}
      {state === 'hidden' && (
        <Button
          look="line"
          size="sm"
          busy={isOpening}
          onClick={() => {
            // The button leaves the page when the data come, and the focus would be lost.
            status.current?.focus()
            onOpen()
          }}
        >
          Open the client's data
        </Button>
      )}
    </div>
  )
}
