import type { ChoicesStorage } from '../table/remembered-choices.ts'

const prefix = 'importColumns:'

/** In this browser. Without storage, as in some private windows, nothing is remembered. */
export const choicesStorage: ChoicesStorage = {
  read(key) {
    try {
      return window.localStorage.getItem(prefix + key)
    } catch {
      return null
    }
  },
  write(key, text) {
    try {
      window.localStorage.setItem(prefix + key, text)
    } catch {
      // Storage is blocked or full. The columns are proposed again for the next file.
    }
  },
}
