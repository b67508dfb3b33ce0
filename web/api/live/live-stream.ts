import { heartbeatMs, liveAnswer, liveMoved, liveRole, type LiveMoved } from '#contracts/admin/live'
import type { AdminRole } from '#contracts/admin/roles'

/** A change that the server sent. */
export type LiveChange =
  | { readonly kind: 'moved'; readonly positions: LiveMoved }
  | { readonly kind: 'role'; readonly role: AdminRole }
  | { readonly kind: 'answer'; readonly call: string; readonly answer: unknown }

export interface StreamListeners {
  readonly onChange: (change: LiveChange) => void
  /** False from the loss of the connection until the next event. */
  readonly onConnected: (connected: boolean) => void
  /** The session has ended. The stream does not connect again. */
  readonly onEnded: () => void
}

/** The one connection of this browser. */
export interface LiveStream {
  /** Connects, and connects again if the calls differ from those before. */
  watch(calls: readonly string[]): void
  /** Connects at once if the connection is lost or dead. */
  wakeUp(): void
  close(): void
}

/** Without an event for this time the connection is dead, as after the sleep of a laptop. */
const deadAfterMs = 3 * heartbeatMs
const deadCheckMs = 5_000
const retryLimits = { firstMs: 500, longestMs: 8_000 }
/** Calls that change together, such as those of a page that opens, need one new connection. */
const joinMs = 100

/**
 * Keeps an EventSource open. The EventSource itself stops for ever after an answer such as 503, so
 * the stream opens each new one itself.
 */
export function createLiveStream(
  { onChange, onConnected, onEnded }: StreamListeners,
  random: () => number = Math.random,
): LiveStream {
  const closing = new AbortController()
  const { signal } = closing
  let address: string | null = null
  let source: EventSource | null = null
  let isOpen = false
  let retryMs = retryLimits.firstMs
  let seenAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined

  const deadCheck = setInterval(() => {
    if (isDead()) connect()
  }, deadCheckMs)

  function connectIn(milliseconds: number): void {
    clearTimeout(timer)
    timer = setTimeout(connect, milliseconds)
  }

  function connect(): void {
    clearTimeout(timer)
    timer = undefined
    source?.close()
    if (address === null || signal.aborted) return
    const current = new EventSource(address)
    source = current
    isOpen = false
    seenAt = Date.now()
    const listen = (name: string, act: (data: unknown) => void) =>
      current.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (source !== current) return
        seenAt = Date.now()
        act(JSON.parse(data))
      })
    current.addEventListener('open', () => {
      if (source === current) isOpen = true
    })
    listen('moved', (data) => {
      retryMs = retryLimits.firstMs
      onConnected(true)
      const positions = liveMoved.safeParse(data)
      if (positions.success) onChange({ kind: 'moved', positions: positions.data })
    })
    listen('answer', (data) => {
      const answer = liveAnswer.safeParse(data)
      if (answer.success) onChange({ kind: 'answer', ...answer.data })
    })
    listen('role', (data) => {
      const given = liveRole.safeParse(data)
      if (given.success) onChange({ kind: 'role', role: given.data.role })
    })
    listen('heartbeat', () => undefined)
    listen('ended', end)
    current.addEventListener('error', () => {
      if (source !== current) return
      current.close()
      source = null
      onConnected(false)
      const hadOpened = isOpen
      isOpen = false
      void retry(hadOpened)
    })
  }

  /** An EventSource does not report the status, so a refused connection is tried by fetch. */
  async function retry(hadOpened: boolean): Promise<void> {
    const delayMs = retryMs * (1 - random() / 2)
    retryMs = Math.min(retryMs * 2, retryLimits.longestMs)
    connectIn(delayMs)
    if (!hadOpened && address !== null && (await statusOf(address, signal)) === 401) end()
  }

  function isDead(): boolean {
    const isSilent = source !== null && Date.now() - seenAt > deadAfterMs
    if (isSilent) onConnected(false)
    return isSilent
  }

  /** A connection that was begun without the network may never open. */
  function wakeUp(): void {
    if (isDead() || !isOpen) connect()
  }

  function end(): void {
    close()
    onEnded()
  }

  function close(): void {
    closing.abort()
    clearTimeout(timer)
    clearInterval(deadCheck)
    source?.close()
    source = null
  }

  return {
    watch(calls) {
      const next = `/api/admin/live?${new URLSearchParams({ watch: calls.join(',') })}`
      if (next === address || signal.aborted) return
      address = next
      connectIn(joinMs)
    },
    wakeUp,
    close,
  }
}

/** Null without an answer. */
async function statusOf(address: string, signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(new URL(address, window.location.origin), {
      headers: { 'X-Background': '1' },
      credentials: 'same-origin',
      signal,
    })
    response.body?.cancel().catch(() => undefined)
    return response.status
  } catch {
    return null
  }
}
