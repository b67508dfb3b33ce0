import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

const messages = z.array(z.object({ text: z.string() }))
const codeWaitMs = 10_000

/**
 * Waits for the newest code that was mailed to the address.
 * @param read the code of an inbox, null if none has arrived
 * @throws Error if no code arrives within 10 s
 */
export async function mailedCode(
  email: string,
  read: (email: string) => Promise<string | null>,
  signal: AbortSignal,
): Promise<string> {
  const until = performance.now() + codeWaitMs
  while (performance.now() < until) {
    const found = await read(email)
    if (found !== null) return found
    await sleep(50, undefined, { signal })
  }
  throw new Error(`No sign-in code for ${email} arrived within 10 s.`)
}

/** Reads the inbox of a sandbox. */
export function codesOfSandbox(
  sandboxUrl: string,
  signal: AbortSignal,
): (email: string) => Promise<string | null> {
  return async (email) => {
    const answer = await fetch(`${sandboxUrl}/inbox.json?to=${encodeURIComponent(email)}`, {
      signal,
    })
    const codes = messages
      .parse(await answer.json())
      .flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? [])
    return codes[0] ?? null
  }
}
