import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { instant } from '#contracts/instant'
import { StartupError } from '#services/foundation/startup-error'

const clockAnswer = z.object({ now: instant, webhooksOwed: z.int() })
const pollMs = 25
/** One call of the sandbox sets its clock forward by ten years at most. */
const longestStepMs = 3_600 * 86_400_000
/** A webhook whose delivery fails is sent again after 30 s at most. */
const patienceMs = 120_000

/** The sandbox's clock at `url`, the address of the sandbox. Tests wait for less than 2 minutes. */
export function sandboxClock(url: string, signal: AbortSignal, patienceFor = patienceMs) {
  async function read(): Promise<z.infer<typeof clockAnswer>> {
    const response = await fetch(`${url}/clock`, { signal })
    return clockAnswer.parse(await response.json())
  }
  async function advanceOnce(to: Date): Promise<void> {
    const response = await fetch(`${url}/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: to.toISOString() }),
      signal,
    })
    if (!response.ok)
      throw new Error(`Advancing the sandbox's clock failed: ${await response.text()}`)
  }
  return {
    now: async () => new Date((await read()).now),
    /** Sets the clock forward. Renewals and retries that fall due on the way are applied. */
    async advance(to: Date): Promise<void> {
      const now = Date.parse((await read()).now)
      for (let next = now + longestStepMs; next < to.getTime(); next += longestStepMs)
        await advanceOnce(new Date(next))
      await advanceOnce(to)
    },
    /**
     * Resolves when the product has accepted every webhook.
     * @throws StartupError if their number does not change for 2 minutes
     */
    async untilDelivered(): Promise<void> {
      let owed = -1
      let since = performance.now()
      for (;;) {
        const { webhooksOwed } = await read()
        if (webhooksOwed === 0) return
        if (webhooksOwed !== owed) [owed, since] = [webhooksOwed, performance.now()]
        if (performance.now() - since > patienceFor)
          throw new StartupError(
            `${owed} webhooks of the sandbox were not accepted within 2 minutes. The product's log has the reason.`,
          )
        await sleep(pollMs, undefined, { signal })
      }
    },
  }
}
