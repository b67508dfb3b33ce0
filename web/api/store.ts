import { configureStore } from '@reduxjs/toolkit'
import { forgetOwnWrites } from '../lib/data-behind.ts'
import { onStoredChange, readStored } from '../lib/stored-values.ts'
import { api, tagTypes } from './api.ts'

/** The landing page's entry does not import this file, so that it loads no Redux. */
export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
})

/**
 * After Back from the checkout or the billing portal, the browser may restore the page with its old
 * cache. In this case all data is refetched.
 */
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) store.dispatch(api.util.invalidateTags([...tagTypes]))
})

/**
 * The cache belongs to one customer and one administrator, so a sign-in of another one empties it.
 * The end of a session does not: that would abort the call that the server refused, and its caller
 * would not learn the reason. After a new sign-in of the same person all data is refetched, and the
 * forms on the page keep what was typed.
 */
const signedIn = () => [readStored('userEmail'), readStored('adminAuthenticated')] as const
const endedNotes = ['customerSessionEnded', 'adminSessionEnded'] as const
let before = signedIn()
/** Who was signed in when a session ended. The cache is kept for the same person. */
let ended: readonly (string | null)[] = [null, null]
onStoredChange(() => {
  const now = signedIn()
  const isNew = now.some((value, index) => value !== null && value !== before[index])
  const isOther = now.some(
    (value, index) => value !== null && value !== before[index] && value !== ended[index],
  )
  ended = endedNotes.map((note, index) =>
    now[index] === null && readStored(note) !== null
      ? (before[index] ?? ended[index] ?? null)
      : null,
  )
  before = now
  if (!isNew) return
  if (!isOther) return void store.dispatch(api.util.invalidateTags([...tagTypes]))
  forgetOwnWrites()
  store.dispatch(api.util.resetApiState())
})

export type AppStore = typeof store
