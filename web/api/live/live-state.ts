import { useSyncExternalStore } from 'react'

/** `interrupted`: the connection has been lost for longer than `interruptedAfterMs`. */
type LiveState = 'live' | 'interrupted'

/** A restart of the server is shorter. */
const interruptedAfterMs = 8_000

let state: LiveState = 'live'
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function useLiveState(): LiveState {
  return useSyncExternalStore(subscribe, () => state)
}

export function setConnected(connected: boolean): void {
  if (connected) {
    clearTimeout(timer)
    timer = undefined
    change('live')
  } else timer ??= setTimeout(() => change('interrupted'), interruptedAfterMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function change(next: LiveState): void {
  if (state === next) return
  state = next
  for (const listener of listeners) listener()
}
