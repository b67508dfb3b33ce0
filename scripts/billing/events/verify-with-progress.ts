import type { VerifyOptions } from '#services/event-store/audit/verify-log'
import { showProgress } from '../progress.ts'
import { withStopSignal } from '../with-stop-signal.ts'

type Observed = Required<Pick<VerifyOptions, 'onEvents' | 'onRead' | 'onStreams' | 'signal'>>

/**
 * Runs a verification with its progress on standard error: first the events, then the streams. On
 * Ctrl-C the verification ends and removes its temporary files.
 */
export async function verifyWithProgress<Result>(
  { doing, events }: { readonly doing: string; readonly events: number },
  verify: (observed: Observed) => Promise<Result>,
): Promise<Result> {
  let progress = showProgress({ doing, unit: 'events', total: events })
  try {
    return await withStopSignal(
      (signal) =>
        verify({
          signal,
          onEvents: (count) => progress.advance(count),
          onRead() {
            progress.end()
            progress = showProgress({ doing: 'Comparing', unit: 'streams', total: null })
          },
          onStreams: (count) => progress.advance(count),
        }),
      'Stopped: the log was not verified to its end.',
    )
  } finally {
    progress.end()
  }
}
