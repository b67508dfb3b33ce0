import { until } from '../machine/until.ts'

interface ReceivedEvent {
  readonly name: string
  readonly data: unknown
  /** Milliseconds of `performance.now()`. */
  readonly at: number
}

export interface EventClient {
  readonly status: number
  readonly headers: Headers
  readonly events: readonly ReceivedEvent[]
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>
  /** The first event after the first `skip` events that matches. Waits 5 s at most. */
  find(matches: (event: ReceivedEvent) => boolean, skip?: number): Promise<ReceivedEvent>
  close(): void
}

/** Opens a call that sends events. The body of a refusal is one event `refusal`. */
export async function openEvents(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventClient> {
  const closing = new AbortController()
  const response = await fetch(url, { headers, signal: closing.signal })
  const events: ReceivedEvent[] = []
  const add = (name: string, data: unknown) =>
    void events.push({ name, data, at: performance.now() })

  async function read(): Promise<void> {
    if (!response.ok) return add('refusal', await response.json())
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const frames = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? []
        if (name !== undefined) add(name, JSON.parse(data ?? 'null'))
      }
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    events,
    ended: read().catch(() => undefined),
    async find(matches, skip = 0) {
      return until(
        () => events.slice(skip).find(matches),
        () => `no event matches: ${JSON.stringify(events)}`,
      )
    },
    close: () => closing.abort(),
  }
}
