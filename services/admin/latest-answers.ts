import type { CallReader } from '#services/http/call-reader'
import { eventFrame } from '#services/http/event-stream'
import { HttpError } from '#services/http/http-error'

/** The latest answers of the watched calls, as frames of an event stream. */
export function createLatestAnswers(calls: CallReader) {
  /** The latest frame of each call, with the count of moves before it was read. */
  const answers = new Map<string, { readonly frame: Buffer; readonly moves: number }>()

  /** The same buffer while the answer does not change. Null while the call cannot be answered. */
  async function latest(call: string, moves: number): Promise<Buffer | null> {
    const before = answers.get(call)
    if (before?.moves === moves) return before.frame
    const answer = await calls.read(call).catch((error: unknown) => {
      // Such as 503 while a read model is being built. The next round tries again.
      if (error instanceof HttpError) return null
      throw error
    })
    if (answer === null) return null
    const read = eventFrame('answer', `{"call":${JSON.stringify(call)},"answer":${answer}}`)
    const frame = before?.frame.equals(read) ? before.frame : read
    answers.set(call, { frame, moves })
    return frame
  }

  return {
    /** `moves`: how often a read model has moved. An answer is read once after each move. */
    latest,
    forgetOthers(watched: ReadonlyMap<string, unknown>): void {
      for (const call of answers.keys()) if (!watched.has(call)) answers.delete(call)
    },
    clear: () => answers.clear(),
  }
}
