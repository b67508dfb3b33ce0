import { useEffect, useState } from 'react'
import type { PreviewRequest } from '#contracts/receivables/templates'
import { usePreviewMessageQuery } from '../../../api/messages-api.ts'

/** A pause in the typing, in milliseconds. */
const pauseMs = 400

/** The message of the request, a pause after its last change. Until then, the one before. */
export function usePreview(request: PreviewRequest) {
  const [asked, setAsked] = useState(request)
  useEffect(() => {
    const timer = setTimeout(
      () => setAsked((before) => (areEqual(before, request) ? before : request)),
      pauseMs,
    )
    return () => clearTimeout(timer)
  }, [request])
  const preview = usePreviewMessageQuery(asked)
  return {
    message: preview.currentData ?? preview.data,
    isStale: !areEqual(asked, request) || preview.isFetching,
    error: preview.isError ? preview.error : null,
    isFetching: preview.isFetching,
    retry: () => void preview.refetch(),
  }
}

function areEqual(a: PreviewRequest, b: PreviewRequest): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
