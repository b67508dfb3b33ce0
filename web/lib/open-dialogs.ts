import { useSyncExternalStore } from 'react'

/*
 * The modal dialogs that are open, in the order of their opening. The browser shows a modal dialog
 * above everything else and makes the rest of the page inert, so toasts belong into the last one.
 */

let dialogs: readonly HTMLElement[] = []
const listeners = new Set<() => void>()

function set(next: readonly HTMLElement[]): void {
  dialogs = next
  for (const listener of listeners) listener()
}

/** Adds a dialog when it opens. Returns how to remove it. */
export function addOpenDialog(dialog: HTMLElement): () => void {
  set([...dialogs, dialog])
  return () => set(dialogs.filter((each) => each !== dialog))
}

/** The dialog above all others; null without one. */
export function useTopDialog(): HTMLElement | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => dialogs.at(-1) ?? null,
    () => null,
  )
}
