import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls `ask` until its answer is neither false, null nor undefined, and returns that answer. The
 * pause grows from 5 ms to 50 ms. The limit only ends a test that would never end: how long it
 * takes says how busy the machine is.
 *
 * @param otherwise completes the sentence "After 30 s …"
 * @throws Error with this sentence
 */
export async function until<Answer>(
  ask: () => Answer | Promise<Answer>,
  otherwise: string | (() => string) = 'the condition does not hold',
  seconds = 30,
): Promise<Exclude<Answer, false | null | undefined | void>> {
  const deadline = Date.now() + seconds * 1_000
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const answer = await ask()
    if (isGiven(answer)) return answer
    if (Date.now() > deadline)
      throw new Error(
        `After ${seconds} s ${typeof otherwise === 'string' ? otherwise : otherwise()}.`,
      )
    await sleep(pauseMs)
  }
}

function isGiven<Answer>(
  answer: Answer,
): answer is Exclude<Answer, false | null | undefined | void> {
  return answer !== false && answer !== null && answer !== undefined
}
