/** `isOwn`: this call's work made the result. False for a call that joined another call's run. */
export interface JoinedResult<Result> {
  readonly result: Result
  readonly isOwn: boolean
}

interface Run<Input, Result> {
  hasBegun: boolean
  input: Input
  readonly result: Promise<Result>
}

/**
 * Runs work one at a time per key. Calls that arrive during a run share the next run: it begins
 * after they arrived, so it sees everything that they are about, and `join` makes one input of
 * theirs. A failure rejects every call of the run.
 */
export function createJoinedRuns<Key, Input, Result>(join: (a: Input, b: Input) => Input) {
  const latest = new Map<Key, Run<Input, Result>>()

  return async (
    key: Key,
    input: Input,
    work: (input: Input) => Promise<Result>,
  ): Promise<JoinedResult<Result>> => {
    const before = latest.get(key)
    if (before !== undefined && !before.hasBegun) {
      before.input = join(before.input, input)
      return { result: await before.result, isOwn: false }
    }
    const run: Run<Input, Result> = { hasBegun: false, input, result: begin() }
    latest.set(key, run)
    try {
      return { result: await run.result, isOwn: true }
    } finally {
      if (latest.get(key) === run) latest.delete(key)
    }

    async function begin(): Promise<Result> {
      // The failure of the run before is the failure of its own calls.
      await before?.result.catch(() => undefined)
      run.hasBegun = true
      return work(run.input)
    }
  }
}
