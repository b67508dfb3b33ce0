import { z } from 'zod'
import { instant } from '#contracts/instant'
import { StartupError } from './startup-error.ts'

/** The clock that the business clock follows. */
export type FollowedClock =
  | { readonly kind: 'system' }
  /** CLOCK_URL, or the clock of a running sandbox. */
  | { readonly kind: 'url'; readonly url: string }
  /** The clock of the sandbox that the product starts. It answers only while the product runs. */
  | { readonly kind: 'own-sandbox'; readonly url: string }

const clockAnswer = z.object({ now: instant })

/**
 * The time at `url`, in milliseconds since 1970.
 * @throws StartupError for an answer that is no success
 * @throws Error if `url` does not answer with a time within 2 s
 */
export async function readClockAt(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  if (!response.ok)
    throw new StartupError(
      `The clock at ${url} answered with status ${response.status}. Check CLOCK_URL.`,
    )
  return Date.parse(clockAnswer.parse(await response.json()).now)
}

/** Names the clock within a sentence. */
export function nameOfClock(followed: FollowedClock): string {
  return followed.kind === 'system' ? "the system's time" : `the clock at ${followed.url}`
}
