import { useSyncExternalStore } from 'react'

/** The calls whose last answer lacks events of the customer. */
const behind = new Set<string>()
const listeners = new Set<() => void>()

/**
 * Notes whether the answer to a call lacks events of the customer that the server cannot show yet:
 * its header `X-Own-Writes` is `parked`.
 */
export function noteOwnWrites(url: string, header: string | null): void {
  const had = behind.size
  if (header === 'parked') behind.add(url)
  else behind.delete(url)
  if (behind.size !== had) for (const listener of listeners) listener()
}

/** The next customer has other data. */
export function forgetOwnWrites(): void {
  behind.clear()
  for (const listener of listeners) listener()
}

/** Whether what is shown to the customer lacks events. */
export function useDataBehind(): boolean {
  return useSyncExternalStore(subscribe, () => behind.size > 0)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
