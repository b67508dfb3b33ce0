import { maxWatchedCalls } from '#contracts/admin/live'
import { newId } from '../../lib/new-id.ts'
import { onWakeUp } from './wake-up.ts'
import { createLiveStream, type LiveChange, type StreamListeners } from './live-stream.ts'

/** What the tabs of a browser send to each other. */
type Message =
  | { readonly kind: 'watch'; readonly tab: string; readonly calls: readonly string[] }
  | { readonly kind: 'leave'; readonly tab: string }
  | { readonly kind: 'new-leader' }
  /** A tab wakes up. The browser delays the timers of a hidden tab, such as the leading one. */
  | { readonly kind: 'wake-up' }
  | { readonly kind: 'change'; readonly change: LiveChange }
  | { readonly kind: 'connected'; readonly connected: boolean }

/** This tab among the tabs of the browser. */
export interface LiveTab {
  /** The calls that this tab shows now. A hidden tab shows none. */
  watch(calls: readonly string[]): void
  leave(): void
}

const sharedName = 'admin-live'

/**
 * One connection for all tabs: over HTTP/1.1 a browser opens at most six connections to a server.
 * The tab with the Web Lock leads: it has the connection and passes every change to the other tabs.
 * If it closes, the browser gives the lock to another tab. A browser without Web Locks, or a page
 * over plain http, has a connection per tab.
 */
export function joinLiveTabs({ onChange, onConnected, onEnded }: StreamListeners): LiveTab {
  const tab = newId()
  const leaving = new AbortController()
  const canShare = 'locks' in navigator && 'BroadcastChannel' in window
  const channel = canShare ? new BroadcastChannel(sharedName) : null
  let shown: readonly string[] = []
  let lead: { receive(message: Message): void; close(): void } | null = null

  const post = (message: Message) => channel?.postMessage(message)
  const ownWatch = (): Message => ({ kind: 'watch', tab, calls: shown })

  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (lead !== null) lead.receive(data)
    else if (data.kind === 'new-leader') post(ownWatch())
    else if (data.kind === 'change') onChange(data.change)
    else if (data.kind === 'connected') onConnected(data.connected)
  })
  window.addEventListener('pagehide', sayGoodbye)
  // A page that the browser restores after Back.
  window.addEventListener('pageshow', showAgain)
  const stopWaking = onWakeUp(() => send({ kind: 'wake-up' }))

  if (channel === null) lead = startLead()
  else
    void navigator.locks
      .request(sharedName, { signal: leaving.signal }, () => {
        lead = startLead()
        post({ kind: 'new-leader' })
        // Held until this tab leaves or closes.
        return new Promise<void>((resolve) => {
          leaving.signal.addEventListener('abort', () => resolve())
        })
      })
      // Rejects only if `leaving` aborts the request.
      .catch(() => undefined)

  function startLead() {
    const watches = new Map<string, readonly string[]>([[tab, shown]])
    /** The latest answers, for a tab that begins to show a call that is watched already. */
    const latest = new Map<string, LiveChange>()
    const stream = createLiveStream({
      onChange(change) {
        if (change.kind === 'answer') latest.set(change.call, change)
        onChange(change)
        post({ kind: 'change', change })
      },
      onConnected(connected) {
        onConnected(connected)
        post({ kind: 'connected', connected })
      },
      onEnded,
    })
    const watchAll = () => {
      const calls = [...new Set([...watches.values()].flat())].sort().slice(0, maxWatchedCalls)
      for (const call of latest.keys()) if (!calls.includes(call)) latest.delete(call)
      stream.watch(calls)
    }
    watchAll()
    return {
      close: stream.close,
      receive(message: Message) {
        if (message.kind === 'leave') watches.delete(message.tab)
        else if (message.kind === 'watch') {
          const before = watches.get(message.tab) ?? []
          watches.set(message.tab, message.calls)
          for (const call of message.calls) {
            const change = before.includes(call) ? undefined : latest.get(call)
            if (change === undefined) continue
            if (message.tab === tab) onChange(change)
            else post({ kind: 'change', change })
          }
        } else if (message.kind === 'wake-up') return stream.wakeUp()
        else return
        watchAll()
      },
    }
  }

  function send(message: Message): void {
    if (lead === null) post(message)
    else lead.receive(message)
  }

  function sayGoodbye(): void {
    send({ kind: 'leave', tab })
  }

  function showAgain(): void {
    send(ownWatch())
  }

  return {
    watch(calls) {
      shown = calls
      send(ownWatch())
    },
    leave() {
      window.removeEventListener('pagehide', sayGoodbye)
      window.removeEventListener('pageshow', showAgain)
      stopWaking()
      sayGoodbye()
      lead?.close()
      leaving.abort()
      channel?.close()
    },
  }
}
