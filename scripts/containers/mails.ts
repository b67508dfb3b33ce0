import { z } from 'zod'

const found = z.object({ messages: z.array(z.object({ ID: z.string(), Subject: z.string() })) })
const message = z.object({ Text: z.string() })

/** The newest sign-in code in Mailpit's inbox for an address. Null if there is none. */
export async function readCode(inboxUrl: string, email: string): Promise<string | null> {
  const query = encodeURIComponent(`to:"${email}"`)
  const { messages } = found.parse(await json(`${inboxUrl}/api/v1/search?query=${query}`))
  const newest = messages.find(({ Subject }) => Subject.startsWith('Your sign-in code'))
  if (newest === undefined) return null
  const { Text } = message.parse(await json(`${inboxUrl}/api/v1/message/${newest.ID}`))
  return /\b\d{6}\b/.exec(Text)?.[0] ?? null
}

async function json(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  return response.json()
}
