import type { ErrorBody } from '#contracts/errors'

/** An answer that is made without Express. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function answerOf(
  status: number,
  error: ErrorBody,
  retryAfterSeconds?: number,
): ReadyAnswer {
  const body = JSON.stringify(error)
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    },
    body,
  }
}
