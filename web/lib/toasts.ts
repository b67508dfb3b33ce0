import { useSyncExternalStore } from 'react'

export type ToastKind = 'error' | 'success' | 'loading' | 'blank'

export interface Toast {
  readonly id: number
  readonly kind: ToastKind
  readonly title?: string
  readonly text: string
}

/** The display time of a toast, in milliseconds; a loading toast stays until it is dismissed. */
const durations: Readonly<Record<ToastKind, number>> = {
  error: 4000,
  blank: 4000,
  success: 2000,
  loading: Infinity,
}

let toasts: readonly Toast[] = []
let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a toast, newest first, and returns its id for `dismissToast`. */
export function showToast(kind: ToastKind, text: string, title?: string): number {
  const id = ++lastId
  set([{ id, kind, text, ...(title !== undefined && { title }) }, ...toasts])
  startTimer(id, kind)
  return id
}

/** Replaces the text of a toast that is still shown, such as the progress of a loading toast. */
export function changeToast(id: number, text: string): void {
  set(toasts.map((toast) => (toast.id === id ? { ...toast, text } : toast)))
}

export function dismissToast(id: number): void {
  holdToast(id)
  set(toasts.filter((toast) => toast.id !== id))
}

/** Stops the timer while the toast has the pointer or the focus. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

export function releaseToast(id: number): void {
  const toast = toasts.find((candidate) => candidate.id === id)
  if (toast) startTimer(id, toast.kind)
}

function startTimer(id: number, kind: ToastKind): void {
  holdToast(id)
  const duration = durations[kind]
  if (Number.isFinite(duration))
    timers.set(
      id,
      setTimeout(() => dismissToast(id), duration),
    )
}

/**
 * Limits the number of toasts and keeps the newest: 1 on the public pages, 20 on the product pages.
 */
export function limitToasts(limit: number): void {
  for (const toast of toasts.slice(limit)) holdToast(toast.id)
  if (toasts.length > limit) set(toasts.slice(0, limit))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => toasts,
    () => toasts,
  )
}
