import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

const messages = z.array(
  z.object({
    id: z.string(),
    channel: z.enum(['email', 'sms']),
    to: z.string(),
    subject: z.string().nullable(),
    text: z.string(),
  }),
)

/** What the sandbox's inbox holds for an address. */
export function inboxOf(product: { readonly sandboxUrl: string }, to: string) {
  const read = async () =>
    messages.parse(
      await (await fetch(`${product.sandboxUrl}/inbox.json?to=${encodeURIComponent(to)}`)).json(),
    )
  return {
    read,
    /** The newest sign-in code. The mail is taken before the page shows the code field, so it is there, or arrives within seconds. */
    async code(): Promise<string> {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        const code = (await read()).flatMap((message) => /\b\d{6}\b/.exec(message.text) ?? []).at(0)
        if (code !== undefined) return code
        await sleep(100)
      }
      throw new Error(`No sign-in code came for ${to}.`)
    },
  }
}
