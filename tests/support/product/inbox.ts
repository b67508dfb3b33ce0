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

/** The messages of the sandbox's inbox for an address. */
export function inboxOf(product: { readonly sandboxUrl: string }, to: string) {
  const read = async () =>
    messages.parse(
      await (await fetch(`${product.sandboxUrl}/inbox.json?to=${encodeURIComponent(to)}`)).json(),
    )
  return {
    read,
    /**
     * The newest sign-in code. Waits 5 s at most, although the mail server accepts the mail before
     * the page shows the code field.
     */
    async code(): Promise<string> {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        const code = (await read())
          .filter(({ subject }) => subject?.startsWith('Your sign-in code'))
          .flatMap((message) => /\b\d{6}\b/.exec(message.text) ?? [])
          .at(0)
        if (code !== undefined) return code
        await sleep(100)
      }
      throw new Error(`No sign-in code for ${to} arrived within 5 s.`)
    },
  }
}
