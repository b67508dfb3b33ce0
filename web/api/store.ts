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
 * The cache belongs to one customer and one administrator, so a sign-in of either empties it. The
 * end of a session does not: that would abort the call that the server refused, and its caller
 * would not learn the reason.
 */
const signedIn = () => [readStored('userEmail'), readStored('adminAuthenticated')] as const
let before = signedIn()
onStoredChange(() => {
  const now = signedIn()
  const isNew = now.some((value, index) => value !== null && value !== before[index])
  before = now
  if (!isNew) return
  forgetOwnWrites()
  store.dispatch(api.util.resetApiState())
})

export type AppStore = typeof store
