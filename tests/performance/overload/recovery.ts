import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind } from './callers.ts'

const roundsInARow = 5
const answerWithinMs = 1_000
const maxSeconds = 60

/**
 * Seconds from now until every kind of request is answered with 200 within 1 s, five rounds in a
 * row. The time is that of the first of the five.
 */
export async function secondsUntilRecovered(url: string, kinds: readonly Kind[]): Promise<number> {
  const began = performance.now()
  let goodSince = began
  let good = 0
  while (good < roundsInARow) {
    const at = performance.now()
    if (at - began > maxSeconds * 1_000) return Infinity
    const answers = await Promise.all(kinds.map((kind) => isAnswered(url, kind)))
    if (!answers.every(Boolean)) good = 0
    else {
      if (good === 0) goodSince = performance.now()
      good += 1
    }
    await sleep(100)
  }
  return (goodSince - began) / 1_000
}

async function isAnswered(url: string, kind: Kind): Promise<boolean> {
  const { method = 'GET', path = '/', headers = {}, body } = kind.next().request
  const began = performance.now()
  try {
    const response = await fetch(url + path, {
      method,
      headers: headers as Record<string, string>,
      ...(typeof body === 'string' && { body }),
      signal: AbortSignal.timeout(5_000),
    })
    await response.text()
    return response.status === 200 && performance.now() - began < answerWithinMs
  } catch {
    return false
  }
}
