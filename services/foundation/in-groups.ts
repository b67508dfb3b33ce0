import { setImmediate } from 'node:timers'

interface Group<Key, Result> {
  /** Answers all keys, in their order. */
  readonly answer: (keys: readonly Key[]) => Promise<readonly Result[]>
  readonly maxKeys: number
  /** Groups that are answered at the same time. */
  readonly atOnce: number
}

interface Waiting<Key, Result> {
  readonly key: Key
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers many questions by few calls: those of one turn of the event loop, and those that are
 * asked while `atOnce` calls are in progress, are one group. A failed call fails its whole group.
 */
export function inGroups<Key, Result>({
  answer,
  maxKeys,
  atOnce,
}: Group<Key, Result>): (key: Key) => Promise<Result> {
  let waiting: Waiting<Key, Result>[] = []
  let running = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled || waiting.length === 0 || running === atOnce) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      const group = waiting.slice(0, maxKeys)
      waiting = waiting.slice(maxKeys)
      running += 1
      void settle(group).finally(() => {
        running -= 1
        schedule()
      })
      schedule()
    })
  }

  async function settle(group: readonly Waiting<Key, Result>[]) {
    try {
      const results = await answer(group.map(({ key }) => key))
      if (results.length !== group.length)
        throw new Error(
          `${group.length} questions got ${results.length} answers. This is a programming error; please report it.`,
        )
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}
